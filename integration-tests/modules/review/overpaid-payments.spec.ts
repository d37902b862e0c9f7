/**
 * The gateway took more than was requested. An admin refunds all of it, or only the difference, or
 * accepts the requested amount and notes the rest. Never more goes back than was taken.
 */
import { askNow } from "../../../src/engine/ask-now"
import type { FlowDeps } from "../../../src/engine/deps"
import type { Operation } from "../../../src/core/operation"
import { majorText } from "../../../src/core/money"
import type { SourceStatus } from "../../../src/gateway"
import { readOperation } from "../../../src/review/read-operations"
import type { Resolution } from "../../../src/review/resolve-collection"
import { resolveOperation } from "../../../src/review/resolve"
import { sendRefund } from "../../../src/refunds/send-refund-to-gateway"
import { findRefundsOf } from "../../../src/refunds/sql/find-refunds"
import { startPayment } from "../../../src/checkout/start-payment"
import { MINUTE, money, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { HOSTED, PHONE, PUSH } from "../../support/flows-harness"
import { useReviewHarness } from "../../support/review-harness"

/** The gateway takes 1.00 too much from this number. */
const OVERSTATED = "+231770000009"
const REST = { expectedAmount: 1 }

const review = useReviewHarness()
const { its, quick, reread, checkAfter, settled, resolve, decided } = review

type Overpaid = { readonly operation: Operation; readonly collectionId: string }

async function overpaid(providerId = PUSH): Promise<Overpaid> {
  const { cart, deps, shown, simulator } = its()
  const { sessionId, collectionId } = cart(providerId)
  await startPayment(deps, { sessionId, phone: OVERSTATED })
  const started = await shown(collectionId)
  if (providerId === HOSTED) {
    const paying = { method: "mobile_money", phone: OVERSTATED.slice(1) } as const
    simulator.hosted.pay(started.sourceId ?? 0, paying)
  }
  its().later(5 * SECOND)
  const operation = await checkAfter(started, 5 * SECOND)
  expect(operation).toMatchObject({
    state: "review",
    reason: "amount_mismatch",
    collected: money(2_099),
  })
  const intent = simulator.book.executions().find((one) => one.sourceId === operation.sourceId)
  await its().ledger.sql("update mp_operation set payment_intent_id = $2 where id = $1", [
    operation.id,
    intent?.paymentIntentId,
  ])
  return { operation: await reread(operation), collectionId }
}

/** For every way to pay: a payment on the page has no reference. */
function backAtGateway({ sourceId }: Operation) {
  const { book } = its().simulator
  const [paid] = book.executions().filter((one) => one.sourceId === sourceId)
  const own = book.refunds().filter((one) => one.originalReference === paid?.reference)
  return own.map(({ amount, status }) => `${amount} ${status}`)
}

/** A refund as Medusa requests it; the amount that was sent. */
async function throughMedusa({ id }: Operation, medusaAmount: string): Promise<string> {
  const outcome = await sendRefund(quick(), {
    operationId: id,
    medusaAmount,
    capturedAmount: "19.99",
    medusaRefundId: `ref_${medusaAmount}`,
    askedBy: "medusa",
    code: "refund_by_medusa",
    isWaitedFor: true,
  })
  if (outcome.kind === "refused") return outcome.kind
  return "refund" in outcome ? majorText(outcome.refund.amount) : outcome.kind
}

const actionsOf = async ({ id }: Operation) =>
  (await readOperation(its().deps, id)).actions.filter((one) => one.is_possible)

describe("an overpaid payment", () => {
  it.each([PUSH, HOSTED])("of %s is refunded in full as it was taken", async (providerId) => {
    const { operation } = await overpaid(providerId)
    expect(await askNow(its().deps, operation)).toMatchObject({
      total: money(2_099),
      taken: money(2_099),
    })
    await resolve(operation, "refund", { expectedAmount: 20.99 })
    await settled()
    expect((await reread(operation)).returnedAt).not.toBeNull()
    expect(backAtGateway(operation)).toEqual(["20.99 COMPLETED"])
  })
})

describe("refunding the difference of an overpaid payment", () => {
  it("[B10] comes first, and then the requested amount is recorded", async () => {
    const { operation, collectionId } = await overpaid()
    expect((await actionsOf(operation)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(["accept_asked", "refund_rest", "refund", "dismiss"]),
    )
    await resolve(operation, "refund_rest", REST)
    expect(its().of(collectionId).completions).toBe(0)
    await settled()
    expect(backAtGateway(operation)).toEqual(["1.00 COMPLETED"])
    const after = await reread(operation)
    expect(after).toMatchObject({ state: "completed", reason: null, refundedMinor: 100n })
    expect(after.recordedAt).not.toBeNull()
    expect(its().of(collectionId).completions).toBe(1)
    expect(await decided(operation)).toMatchObject([{ name: "accept", by: "user_ada" }])
    expect(await codeOf(resolve(operation, "refund_rest", REST))).toBe("already_resolved")
  })

  it("is not offered for a page, whose currency is unknown", async () => {
    const { operation } = await overpaid(HOSTED)
    expect((await actionsOf(operation)).map(({ action }) => action)).not.toContain("refund_rest")
    expect(await codeOf(resolve(operation, "refund_rest", REST))).toBe("refund_unclear")
    expect(backAtGateway(operation)).toEqual([])
  })

  it.each(["503", "404"] as const)(
    "waits for a receipt that shows the difference, while the gateway answers %s",
    async (answer) => {
      const { operation } = await overpaid(HOSTED)
      await its().ledger.sql("update mp_operation set payer_currency = 'USD' where id = $1", [
        operation.id,
      ])
      const { faults } = its().simulator
      const silence = () => faults.script("retrieveOrderReceipt", Array(3).fill(answer))
      silence()
      const now = await askNow(its().deps, operation)
      expect(now).toMatchObject(answer === "503" ? { kind: "unanswered" } : { isTakenShown: false })
      faults.clear()
      silence()
      const code = answer === "503" ? "gateway_unavailable" : "refund_unclear"
      expect(await codeOf(resolve(operation, "refund_rest", REST))).toBe(code)
      expect(backAtGateway(operation)).toEqual([])
      faults.clear()
      expect(await askNow(its().deps, operation)).toMatchObject({ taken: money(2_099) })
      expect(await codeOf(resolve(operation, "refund_rest", REST))).toBe("none")
      await settled()
      expect(backAtGateway(operation)).toEqual(["1.00 COMPLETED"])
    },
  )

  it("happens once, however many admins click at the same moment", async () => {
    const { operation } = await overpaid()
    const asked = ["user_ada", "user_bob", "user_eve"].map((adminId) =>
      codeOf(resolve(operation, "refund_rest", { ...REST, adminId })),
    )
    expect((await Promise.all(asked)).sort()).toEqual([
      "already_resolved",
      "already_resolved",
      "none",
    ])
    expect(await codeOf(resolve(operation, "dismiss"))).toBe("refund_in_progress")
    await settled()
    expect(backAtGateway(operation)).toEqual(["1.00 COMPLETED"])
  })

  it("is finished by the job where the process died after the sending", async () => {
    const { operation, collectionId } = await overpaid()
    const { deps } = its()
    const killed: FlowDeps = {
      ...deps,
      clock: { ...deps.clock, sleep: () => Promise.reject(new Error("killed")) },
    }
    const given = { operationId: operation.id, note: "one too many", adminId: "user_ada" }
    await expect(
      resolveOperation(killed, { ...given, ...REST, action: "refund_rest" }),
    ).rejects.toThrow("killed")
    await settled()
    expect(backAtGateway(operation)).toEqual(["1.00 COMPLETED"])
    expect((await reread(operation)).recordedAt).not.toBeNull()
    expect(its().of(collectionId).completions).toBe(1)
  })

  it("leaves the payment under review where the gateway refuses, and can be tried again", async () => {
    const { operation, collectionId } = await overpaid()
    its().simulator.plan({ operationType: "REFUND", outcome: "insufficient_funds", times: 1 })
    expect(await codeOf(resolve(operation, "refund_rest", REST))).toBe("wallet_too_low")
    await settled()
    expect(await reread(operation)).toMatchObject({ state: "review", reservedRefundMinor: 0n })
    expect(its().of(collectionId).completions).toBe(0)
    await resolve(operation, "refund_rest", REST)
    await settled()
    expect((await reread(operation)).recordedAt).not.toBeNull()
  })

  it("is finished when its refund completes late and an admin accepts that", async () => {
    const { operation } = await overpaid()
    its().simulator.plan({ operationType: "REFUND", outcome: "decline_then_approve", times: 1 })
    expect(await codeOf(resolve(operation, "refund_rest", REST))).toBe("gateway_refused")
    const [refund] = await findRefundsOf(its().deps.database, operation.id)
    if (!refund) throw new Error("there is no refund")
    expect(await checkAfter(refund, 6 * SECOND)).toMatchObject({ state: "failed" })
    its().later(MINUTE)
    expect(await checkAfter(refund, 2 * MINUTE)).toMatchObject({ reason: "late_refund" })
    expect((await reread(operation)).nextCheckAt).toBeNull()
    await resolve(refund, "accept")
    await settled()
    expect(await reread(operation)).toMatchObject({ state: "completed", refundedMinor: 100n })
    expect((await reread(operation)).recordedAt).not.toBeNull()
    expect(backAtGateway(operation)).toEqual(["1.00 COMPLETED"])
  })

  it("leaves the payment to be recorded even where a refund of the remainder fails", async () => {
    const { operation } = await overpaid()
    await resolve(operation, "refund_rest", REST)
    await settled()
    await its().ledger.sql("update mp_operation set recorded_at = null where id = $1", [
      operation.id,
    ])
    its().simulator.plan({ operationType: "REFUND", outcome: "insufficient_funds", times: 1 })
    expect(await throughMedusa(operation, "19.99")).toBe("refused")
    await settled()
    expect((await reread(operation)).recordedAt).not.toBeNull()
    expect(backAtGateway(operation)).toEqual(["1.00 COMPLETED", "19.99 FAILED"])
  })

  it("sends nothing where another amount was confirmed, or the order was cancelled", async () => {
    const { operation, collectionId } = await overpaid()
    const other = { expectedAmount: 20.99 }
    expect(await codeOf(resolve(operation, "refund_rest", other))).toBe("refund_amount_changed")
    its().of(collectionId).order = { id: `order_${collectionId}`, isCanceled: true }
    expect(await codeOf(resolve(operation, "refund_rest", REST))).toBe("order_closed")
    expect(backAtGateway(operation)).toEqual([])
  })

  it("leaves the requested amount to the order's refunds, and no more", async () => {
    const { operation } = await overpaid()
    await resolve(operation, "refund_rest", REST)
    await settled()
    expect(await throughMedusa(operation, "5.00")).toBe("5.00")
    await settled()
    expect(await throughMedusa(operation, "14.99")).toBe("14.99")
    await settled()
    expect((await reread(operation)).returnedAt).not.toBeNull()
    expect(backAtGateway(operation)).toHaveLength(3)
  })

  it("allows a refund of the remainder where the order was cancelled meanwhile", async () => {
    const { operation, collectionId } = await overpaid()
    await resolve(operation, "refund_rest", REST)
    its().of(collectionId).order = { id: `order_${collectionId}`, isCanceled: true }
    await settled()
    expect(await reread(operation)).toMatchObject({ state: "review", reason: "order_canceled" })
    await resolve(operation, "refund", { expectedAmount: 19.99 })
    await settled()
    expect((await reread(operation)).returnedAt).not.toBeNull()
    expect(backAtGateway(operation)).toEqual(["1.00 COMPLETED", "19.99 COMPLETED"])
  })
})

/** Every source reads this total. */
function readingTotal(minor: number): FlowDeps {
  const { gateway } = its()
  const change = (value: SourceStatus) => ({ ...value, total: money(minor) })
  const reading: typeof gateway = {
    ...gateway,
    status: {
      ...gateway.status,
      async source(...given) {
        const outcome = await gateway.status.source(...given)
        return outcome.kind === "done" ? { ...outcome, value: change(outcome.value) } : outcome
      },
    },
  }
  return { ...quick(), gatewayOf: () => reading }
}

describe("an overpaid payment whose difference was refunded", () => {
  const KEPT = { state: "review", collected: money(2_099), refundedMinor: 100n }

  /** Under review again, because its order was cancelled; its source now reads any amount. */
  async function restBack(minor = 1_999) {
    const { operation, collectionId } = await overpaid()
    await resolve(operation, "refund_rest", REST)
    const cart = its().of(collectionId)
    cart.order = { id: `order_${collectionId}`, isCanceled: true }
    await settled()
    expect(await reread(operation)).toMatchObject({ ...KEPT, reason: "order_canceled" })
    const decide = (action: Resolution["action"], expectedAmount?: number) =>
      resolveOperation(readingTotal(minor), {
        operationId: operation.id,
        action,
        note: "looked it up in the portal",
        adminId: "user_ada",
        expectedAmount,
      })
    return { operation, cart, decide }
  }

  it.each([1_999, 2_099, 2_500])(
    "is refunded what is left, though its source reads %i",
    async (minor) => {
      const { operation, decide } = await restBack(minor)
      expect(await codeOf(decide("refund", 18.99))).toBe("refund_amount_changed")
      expect(await reread(operation)).toMatchObject(KEPT)
      await decide("refund", 19.99)
      await settled()
      expect((await reread(operation)).returnedAt).not.toBeNull()
      expect(backAtGateway(operation)).toEqual(["1.00 COMPLETED", "19.99 COMPLETED"])
    },
  )

  it("is refunded in parts by Medusa, as requested", async () => {
    const { operation } = await restBack()
    expect(await throughMedusa(operation, "5.00")).toBe("5.00")
    await settled()
    expect(await throughMedusa(operation, "14.99")).toBe("14.99")
    await settled()
    expect((await reread(operation)).returnedAt).not.toBeNull()
    expect(backAtGateway(operation)).toEqual([
      "1.00 COMPLETED",
      "5.00 COMPLETED",
      "14.99 COMPLETED",
    ])
  })

  it("keeps what was collected when it is accepted", async () => {
    const { operation, cart, decide } = await restBack()
    cart.order = null
    await decide("accept")
    await settled()
    expect(await reread(operation)).toMatchObject({ ...KEPT, state: "completed" })
    expect((await reread(operation)).recordedAt).not.toBeNull()
  })

  it("keeps what was collected when it is dismissed", async () => {
    const { operation, decide } = await restBack()
    await decide("dismiss")
    expect(await reread(operation)).toMatchObject({ ...KEPT, state: "failed" })
  })
})

describe("accepting an overpaid payment with a note", () => {
  it("[B10] records the requested amount, notes what was taken, and keeps the rest", async () => {
    const { operation, collectionId } = await overpaid()
    expect(await codeOf(resolve(operation, "accept"))).toBe("amount_differs")
    await resolve(operation, "accept_asked", { note: "a tip" })
    await settled()
    expect((await reread(operation)).recordedAt).not.toBeNull()
    expect(its().of(collectionId).completions).toBe(1)
    expect(await decided(operation)).toMatchObject([
      { name: "accept", why: "a tip", facts: { total: "20.99 USD", taken: "20.99 USD" } },
    ])
    expect(await throughMedusa(operation, "19.99")).toBe("19.99")
    await settled()
    expect(await throughMedusa(operation, "1.00").catch(() => "refused")).toBe("refused")
    expect(backAtGateway(operation)).toEqual(["19.99 COMPLETED"])
  })
})

describe("a payment of which only the document reads more", () => {
  /** Payer and payee have the requested amount. */
  async function misread(): Promise<{ says: FlowDeps; operation: Operation }> {
    const { deps, cart, shown, simulator, later } = its()
    const { sessionId, collectionId } = cart()
    await startPayment(deps, { sessionId, phone: PHONE })
    const started = await shown(collectionId)
    simulator.handset.approve(started.reference ?? "")
    later(3 * SECOND)
    const says = { ...readingTotal(2_099), clock: deps.clock }
    const operation = await checkAfter(started, 3 * SECOND, says)
    expect(operation).toMatchObject({ state: "review", collected: money(1_999) })
    expect(await askNow(says, operation)).toMatchObject({ taken: money(1_999) })
    return { says, operation }
  }
  const given = { note: "paid in full", adminId: "user_ada" }

  it("has no difference to refund, and can be accepted as requested", async () => {
    const { says, operation } = await misread()
    expect(await codeOf(resolve(operation, "refund_rest"))).toBe("action_not_possible")
    const operationId = operation.id
    await resolveOperation(says, { ...given, operationId, action: "accept_asked" })
    await settled()
    expect((await reread(operation)).recordedAt).not.toBeNull()
  })

  it("[B38] is refunded what was taken, not what the document reads", async () => {
    const { says, operation } = await misread()
    const asked = { ...given, operationId: operation.id, expectedAmount: 19.99 }
    const clock = quick().clock
    await resolveOperation({ ...says, clock }, { ...asked, action: "refund" })
    await settled()
    expect(backAtGateway(operation)).toEqual(["19.99 COMPLETED"])
  })
})
