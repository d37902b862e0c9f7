/**
 * Document first at a gateway that keeps one party, contact and wallet per number and refuses a
 * second as already registered: the ones that the ledger has kept are used again.
 */
import { startPayment } from "../../../src/checkout/start-payment"
import type { FlowDeps } from "../../../src/engine/deps"
import { Invalid, type Failure } from "../../../src/gateway"
import { codeOf } from "../../support/code-of"
import { ITEMS, sorted, useDocumentFirst } from "../../support/document-first"

const its = useDocumentFirst({
  simulator: { habits: ["known_party_refused", "known_wallet_refused"] },
})

const known = (
  operation: "parties.create" | "counterparties.create",
  existing?: number,
): Failure => ({
  kind: "refused",
  error: new Invalid("", {
    operation,
    reason: "status",
    status: 422,
    detail: "already exists",
    existing: operation === "parties.create" ? { partyId: existing } : { counterpartyId: existing },
  }),
})

function refusing(calls: "parties" | "counterparties", answer: Failure): FlowDeps {
  const { gateway } = its.harness
  const create = async () => answer
  return its.flows({
    gatewayOf: () => ({ ...gateway, [calls]: { ...gateway[calls], create } }),
  })
}

async function paidOnce(): Promise<{ partyId: number | null }> {
  const { collectionId, sessionId } = its.harness.cart()
  expect(await its.start(sessionId)).toMatchObject({ state: "waiting_for_payer" })
  expect(sorted((await its.paid(collectionId)).lines)).toEqual(ITEMS)
  return its.harness.shown(collectionId)
}

const ofNumber = (phone: string) => async (sessionId: string, deps: FlowDeps) =>
  codeOf(startPayment(deps, { sessionId, phone }))

it("a second cart of a number is billed to the party of the first, and paid once", async () => {
  const { partyId } = await paidOnce()
  expect((await paidOnce()).partyId).toBe(partyId)
})

it("a contact that the gateway already has is the one that the ledger kept", async () => {
  const { partyId } = await paidOnce()
  const { collectionId, sessionId } = its.harness.cart()
  const deps = refusing("counterparties", known("counterparties.create"))
  expect(await its.start(sessionId, deps)).toMatchObject({ state: "waiting_for_payer" })
  await its.paid(collectionId)
  expect((await its.harness.shown(collectionId)).partyId).toBe(partyId)
})

describe("a number of which the ledger has kept nothing", () => {
  const start = ofNumber("+231770000742")

  it("is refused as known at the gateway, and charged nothing", async () => {
    const before = its.harness.simulator.book.executions().length
    const deps = refusing("parties", known("parties.create"))
    expect(await start(its.harness.cart().sessionId, deps)).toBe("gateway_refused")
    expect(its.harness.simulator.book.executions()).toHaveLength(before)
  })

  it("isn't billed to the party of another number, whatever the refusal names", async () => {
    const { partyId } = await paidOnce()
    const deps = refusing("parties", known("parties.create", partyId ?? 0))
    const { collectionId, sessionId } = its.harness.cart()
    expect(await start(sessionId, deps)).not.toBe("none")
    expect(await its.documentsOf(collectionId)).toEqual([])
  })

  it("is billed to the party that the refusal names when that has the number", async () => {
    const made = await its.harness.gateway.parties.create({
      fullname: "Ada",
      phone: "231770000742",
      email: undefined,
      countryCode: "LR",
    })
    if (made.kind !== "done") throw new Error("no party was made")
    const deps = refusing("parties", known("parties.create", made.value.id))
    const { collectionId, sessionId } = its.harness.cart()
    expect(await start(sessionId, deps)).toBe("none")
    expect((await its.harness.shown(collectionId)).partyId).toBe(made.value.id)
  })
})
