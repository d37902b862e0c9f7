import { anOperation } from "../../integration-tests/support/an-operation"
import { testBox } from "../../integration-tests/support/test-box"
import type { Execution } from "../gateway"
import { cardSecretIn, openCardSecret } from "./card-secret"
import { said } from "../../integration-tests/support/said"

const SECRET = "pi_CANARY_secret"
const card = anOperation({ flow: "card", state: "in_flight" })
const asking: Execution = {
  referenceId: card.reference ?? "",
  status: "PROCESSING",
  fees: {},
  requiresAction: true,
  clientSecret: said(SECRET),
  wire: {},
}

describe("what a card is authenticated with", () => {
  it("is sealed for its operation, whichever answer tells it, and once", () => {
    const { cardSecret = null } = cardSecretIn(testBox, card, asking)
    expect(JSON.stringify(cardSecret)).not.toContain(SECRET)
    const kept = { ...card, cardSecret }
    expect(openCardSecret(testBox, kept)).toBe(SECRET)
    expect(openCardSecret(testBox, { ...kept, id: "mpop_2" })).toBeUndefined()
    expect(cardSecretIn(testBox, kept, asking)).toEqual({})
  })

  it.each([
    ["of another flow", { flow: "push" as const }, {}],
    ["of a payment that ended", { state: "failed" as const }, {}],
    ["of an execution that ended", {}, { status: "FAILED" as const }],
    ["that asks for no action", {}, { requiresAction: false }],
  ])("is not kept %s", (_, operation, execution) => {
    const kept = cardSecretIn(testBox, { ...card, ...operation }, { ...asking, ...execution })
    expect(kept).toEqual({})
  })
})
