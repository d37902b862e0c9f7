import { anOperation, aPayout } from "../../integration-tests/support/an-operation"
import { createGateway, Forbidden, NotFound, Unauthenticated, type Failure } from "../gateway"
import { KINDS } from "./kinds"
import { callOf } from "./send"

const gateway = createGateway({
  baseUrl: "http://127.0.0.1:9",
  clientId: "client",
  clientSecret: "secret",
})
const facts = { operation: "executions.collection", reason: "status" } as const

describe("what is never sent again", () => {
  it.each(["PAYOUT", "TRANSFER"] as const)("is a %s: its passcode is kept nowhere", (type) => {
    expect(() => callOf(gateway, aPayout({ type }), "job")).toThrow("is not sent again")
  })

  it.each(["COLLECTION", "REFUND"] as const)("is a %s without its reference", async (type) => {
    const operation = anOperation({ type, reference: null })
    expect(await callOf(gateway, operation, "job")()).toBeUndefined()
  })
})

describe("why the gateway refused it", () => {
  const refused = (error: Forbidden | NotFound | Unauthenticated): Failure => ({
    kind: "refused",
    error,
  })

  it.each(Object.entries(KINDS))("is the merchant's matter at 401 and 403: %s", (_, kind) => {
    const reason = "not_configured"
    expect(kind.refused(refused(new Unauthenticated("", facts)))).toMatchObject({ reason })
    expect(kind.refused(refused(new Forbidden("", facts)))).toMatchObject({ reason })
  })

  it("is told to an admin of a payout and a transfer alone", () => {
    const told = Object.entries(KINDS).filter(
      ([, kind]) => kind.refused(refused(new NotFound("", facts))).refusal !== undefined,
    )
    expect(told.map(([type]) => type)).toEqual(["PAYOUT", "TRANSFER"])
  })
})
