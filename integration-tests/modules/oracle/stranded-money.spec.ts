/** The oracle finds money that waits for an admin without a reason. */
import type { LedgerOperation, MedusaEvidence } from "../../support/evidence"
import { captured, eventsOf, evidence, recorded } from "../../support/oracle-scenes"
import { violations } from "../../support/violations"

const events = eventsOf("mpop_1", "draft", "submit", "complete", "strand")

const stranded = (reason: string): LedgerOperation => ({
  ...recorded,
  state: "review",
  isRecorded: false,
  reason,
})

/** Of what Medusa holds beside nothing. */
function found(reason: string, medusa: Partial<MedusaEvidence>, options = { isQuiet: true }) {
  const scene = evidence({ operations: [stranded(reason)], events })
  const nothing: MedusaEvidence = { payments: [], orders: [], sessions: [], sessionData: [] }
  const given = { ...scene, medusa: { ...nothing, ...medusa } }
  return violations(given, options).filter((one) => one.includes("stranded"))
}

const { collectionId, sessionId, providerId, currency } = recorded
const session = { id: "payses_9", collectionId, providerId, amount: "19.99", currency }
const order = { id: "order_1", collectionId, isCanceled: false }

describe("[M14] the oracle names money", () => {
  it("that is stranded for another payment that does not exist", () => {
    expect(found("another_payment", {})).toEqual([expect.stringContaining("no other payment")])
    const own = { ...captured, sessionId, inOrderAmount: "0" }
    expect(found("another_payment", { payments: [own], sessions: [session] })).toHaveLength(1)
    expect(found("another_payment", { payments: [own] })).toEqual([])
  })

  it("that is stranded for a missing session that exists", () => {
    expect(found("session_gone", { sessions: [session] })).toHaveLength(1)
  })

  it("that is stranded as refused by Medusa, which holds it", () => {
    const inOrder = { ...captured, sessionId, collectionId }
    expect(found("cart_not_completed", { payments: [inOrder] })).toHaveLength(1)
  })
})

describe("[M14] the oracle is silent about stranded money", () => {
  it("where another payment stands, or the order is paid otherwise", () => {
    const others = { ...captured, sessionId: "payses_other", collectionId }
    expect(found("another_payment", { payments: [others] })).toEqual([])
    expect(found("another_payment", { orders: [order] })).toEqual([])
  })

  it("where its collection has no session, or one for another amount", () => {
    expect(found("session_gone", {})).toEqual([])
    expect(found("session_gone", { sessions: [{ ...session, amount: "24.99" }] })).toEqual([])
    const other = { ...session, providerId: "pp_hosted-checkout_merchant" }
    expect(found("session_gone", { sessions: [other] })).toEqual([])
  })

  it("where Medusa does not hold it, or its order is cancelled", () => {
    expect(found("cart_not_completed", {})).toEqual([])
    const canceled = { ...captured, sessionId, collectionId, isOrderCanceled: true }
    expect(found("cart_not_completed", { payments: [canceled] })).toEqual([])
  })

  it("where the cart's total has changed, and until all is quiet", () => {
    expect(found("cart_changed", { sessions: [session] })).toEqual([])
    expect(found("session_gone", { sessions: [session] }, { isQuiet: false })).toEqual([])
  })
})
