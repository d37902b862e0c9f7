/**
 * An admin decides about money that waits, over a real ledger and the simulator. Each decision
 * checks with the gateway first, is written once, and records the admin and the reason.
 */
import { checkDueOperations } from "../../../src/worker/check-due-operations"
import type { FlowDeps } from "../../../src/engine/deps"
import { readOperation } from "../../../src/review/read-operations"
import { resolveOperation } from "../../../src/review/resolve"
import { sendRefund } from "../../../src/refunds/send-refund-to-gateway"
import { retryRefund } from "../../../src/review/retry-refund"
import { visitReturn } from "../../../src/checkout/return-visit"
import { startPayment } from "../../../src/checkout/start-payment"
import { bringForward } from "../../../src/ledger/bring-forward"
import { findRefundsOf } from "../../../src/refunds/sql/find-refunds"
import { HOUR } from "../../support/an-operation"
import { useReviewHarness } from "../../support/review-harness"
import { codeOf } from "../../support/code-of"
import { HOSTED, PHONE } from "../../support/flows-harness"

const review = useReviewHarness()
const { quick, reread, checkAfter, settled, late, duplicate, resolve, refundsAt, decided } = review

/** Neither execution nor source can be read. */
function away(): void {
  const { faults } = review.its().simulator
  faults.script("getCollectionStatus", ["500", "500", "500"])
  faults.script("getPaymentSourceStatus", ["500", "500", "500"])
}

describe("accepting", () => {
  it("[B05] late money brings it into its order, and records the admin, the reason and the gateway's answer", async () => {
    const { operation, collectionId } = await late()
    const { moneyAt } = operation
    expect(moneyAt).not.toBeNull()
    expect(await resolve(operation, "accept")).toMatchObject({ kind: "reads", isPaid: true })
    expect(await reread(operation)).toMatchObject({
      state: "completed",
      isDuplicate: false,
      moneyAt,
    })
    await checkDueOperations(review.its().deps, { atMost: 50 })
    expect((await reread(operation)).recordedAt).not.toBeNull()
    expect(review.its().of(collectionId)).toMatchObject({
      completions: 1,
      payments: [{ isCaptured: true }],
    })
    expect(await decided(operation)).toMatchObject([
      {
        name: "accept",
        by: "user_ada",
        why: "looked it up in the portal",
        facts: { execution: "COMPLETED", source: "PAID", reason: "late_payment" },
      },
    ])
  })

  it("[B01] a duplicate payment is refused while another is live or has paid the order", async () => {
    for (const secondIs of ["waiting", "paid"] as const) {
      const { operation, second } = await duplicate(secondIs)
      expect(await codeOf(resolve(operation, "accept"))).toBe("another_payment_live")
      expect(await reread(operation)).toMatchObject({ state: "review", isDuplicate: true })
      expect((await reread(second)).state).toBe(secondIs === "paid" ? "completed" : "in_flight")
    }
  })

  it("a duplicate payment makes it the payment once the other one has ended", async () => {
    const { operation, collectionId } = await duplicate("declined")
    await resolve(operation, "accept")
    await checkDueOperations(review.its().deps, { atMost: 50 })
    expect(await reread(operation)).toMatchObject({ state: "completed", isDuplicate: false })
    expect(review.its().of(collectionId).completions).toBe(1)
  })

  it("a duplicate payment is refused even after the other payment was refunded", async () => {
    const { operation, second } = await duplicate("paid")
    const amount = "19.99"
    await sendRefund(quick(), {
      operationId: second.id,
      medusaAmount: amount,
      capturedAmount: amount,
      medusaRefundId: null,
      askedBy: "medusa",
      code: "refund_by_medusa",
      isWaitedFor: true,
    })
    await settled()
    expect((await reread(second)).returnedAt).not.toBeNull()
    expect(await codeOf(resolve(operation, "accept"))).toBe("another_payment_live")
  })

  it("[B17] money of a cancelled order is refused", async () => {
    const { operation, collectionId } = await late()
    review.its().of(collectionId).order = { id: `order_${collectionId}`, isCanceled: true }
    expect(await codeOf(resolve(operation, "accept"))).toBe("order_closed")
    expect(await reread(operation)).toMatchObject({ state: "review", version: operation.version })
  })

  it("[B12] money is refused where the cart's total has changed, and for another cart or order", async () => {
    const { operation, collectionId } = await late()
    expect(await codeOf(resolve(operation, "accept", { cartId: "cart_other" }))).toBe(
      "not_its_order",
    )
    expect(await codeOf(resolve(operation, "accept", { orderId: "order_x" }))).toBe("not_its_order")
    review.its().of(collectionId).total = "25.00"
    expect(await codeOf(resolve(operation, "accept"))).toBe("amount_differs")
    review.its().of(collectionId).total = "19.99"
    review.its().of(collectionId).sessions = []
    expect(await codeOf(resolve(operation, "accept"))).toBe("cannot_be_settled")
  })

  it("money needs the gateway's answer at that moment, whatever the ledger holds", async () => {
    const { operation } = await late()
    away()
    expect(await codeOf(resolve(operation, "accept"))).toBe("gateway_unavailable")
    review.its().simulator.faults.clear()
    const without = { ...quick(), gatewayOf: () => undefined }
    const asked = { operationId: operation.id, note: "x", adminId: "user_ada" } as const
    expect(await codeOf(resolveOperation(without, { ...asked, action: "accept" }))).toBe(
      "not_configured",
    )
    expect(await reread(operation)).toMatchObject({ state: "review", version: operation.version })
  })

  it("a payment that was never paid is refused, with what the gateway reads", async () => {
    const cart = review.its().cart(HOSTED)
    await startPayment(review.its().deps, { sessionId: cart.sessionId, phone: PHONE })
    const operation = await review.its().shown(cart.collectionId)
    await review.its().ledger.sql(
      `with moved as (update mp_operation set state = 'review', reason = 'no_answer',
              version = version + 1, next_check_at = null where id = $1 returning *)
       insert into mp_operation_event (operation_id, seq, name, state, code)
       select id, version, 'doubt', state, 'no_final_answer' from moved`,
      [operation.id],
    )
    await expect(resolve(operation, "accept")).rejects.toMatchObject({
      code: "not_paid",
      details: { reads: { source: "ACTIVE" } },
    })
    expect(await codeOf(resolve(operation, "refund"))).toBe("not_paid")
  })
})

describe("two admins who decide about one payment", () => {
  const CODES = ["already_resolved", "none"]

  it.each([
    ["accept", "accept"],
    ["accept", "dismiss"],
    ["dismiss", "dismiss"],
    ["refund", "refund"],
    ["accept", "refund"],
    ["dismiss", "refund"],
  ] as const)(
    "by %s and %s at the same moment make one decision, and one of them reads already_resolved",
    async (one, other) => {
      const { operation } = await late()
      const codes = await Promise.all([
        codeOf(resolve(operation, one)),
        codeOf(resolve(operation, other, { adminId: "user_bob" })),
      ])
      // A refund that is already under way has another code for the other decision.
      if (one !== "refund" && other === "refund" && codes[1] === "none")
        codes[0] = "already_resolved"
      expect(codes.sort()).toEqual(CODES)
      await settled()
      const [refunds, accepted] = [
        refundsAt(operation).length,
        (await reread(operation)).recordedAt,
      ]
      expect(refunds + (accepted ? 1 : 0)).toBeLessThanOrEqual(1)
      expect(await decided(operation)).toHaveLength(1)
    },
  )

  it("one after the other make one decision, and the second reads the first", async () => {
    const { operation } = await late()
    await resolve(operation, "dismiss")
    await expect(resolve(operation, "dismiss", { adminId: "user_bob" })).rejects.toMatchObject({
      code: "already_resolved",
      details: { decided: { action: "dismiss", by: "user_ada" } },
    })
  })
})

describe("refunding", () => {
  it("[B05] late money sends it back to its payer, and is followed to its end", async () => {
    const { operation, sessionId } = await late()
    await resolve(operation, "refund")
    expect(await reread(operation)).toMatchObject({ reservedRefundMinor: 1_999n })
    expect((await readOperation(review.its().deps, operation.id)).refunds).toMatchObject([
      { progress: "on_its_way", amount: 19.99, asked_by: "user_ada" },
    ])
    await settled()
    expect(refundsAt(operation)).toMatchObject([{ amount: "19.99", status: "COMPLETED" }])
    expect((await reread(operation)).returnedAt).not.toBeNull()
    expect(await decided(operation)).toMatchObject([{ name: "give_back", by: "user_ada" }])
    expect(await startPayment(review.its().deps, { sessionId, phone: PHONE })).toMatchObject({
      state: "waiting_for_payer",
    })
  })

  it("[B01] a duplicate payment leaves the order's payment alone", async () => {
    const { operation, second, collectionId } = await duplicate("paid")
    await resolve(operation, "refund")
    await settled()
    expect(refundsAt(operation)).toHaveLength(1)
    expect(refundsAt(second)).toEqual([])
    expect(await reread(second)).toMatchObject({ state: "completed", returnedAt: null })
    expect(review.its().of(collectionId).payments).toHaveLength(1)
  })

  it("money that the gateway refuses to refund leaves it under review, and can be tried again", async () => {
    const { operation } = await late()
    review
      .its()
      .simulator.plan({ operationType: "REFUND", outcome: "insufficient_funds", times: 1 })
    expect(await codeOf(resolve(operation, "refund"))).toBe("wallet_too_low")
    expect((await reread(operation)).state).toBe("review")
    await settled()
    expect(await reread(operation)).toMatchObject({ state: "review", reservedRefundMinor: 0n })
    await resolve(operation, "refund")
    await settled()
    expect((await reread(operation)).returnedAt).not.toBeNull()
  })

  it("[B34] again after a refund failed is allowed until the money is accepted", async () => {
    for (const isAccepted of [false, true]) {
      const { operation, collectionId } = await late()
      review
        .its()
        .simulator.plan({ operationType: "REFUND", outcome: "insufficient_funds", times: 1 })
      expect(await codeOf(resolve(operation, "refund"))).toBe("wallet_too_low")
      await settled()
      const [failed] = await findRefundsOf(review.its().deps.database, operation.id)
      expect(failed?.state).toBe("failed")
      if (isAccepted) await resolve(operation, "accept")
      const retried = codeOf(retryRefund(quick(), failed?.id ?? "", "user_ada"))
      expect(await retried).toBe(isAccepted ? "refund_unavailable" : "none")
      await settled()
      const sent = refundsAt(operation).filter(({ status }) => status === "COMPLETED")
      expect(sent).toHaveLength(isAccepted ? 0 : 1)
      expect(review.its().of(collectionId).completions).toBe(isAccepted ? 1 : 0)
    }
  })

  it("money leaves nothing else to decide while the refund is on its way", async () => {
    const { operation } = await late()
    review.its().simulator.faults.script("executeRefund", ["reset:after"])
    review.its().simulator.faults.script(
      "getRefundStatus",
      Array.from({ length: 9 }, () => "404"),
    )
    await resolve(operation, "refund")
    expect(await codeOf(resolve(operation, "refund"))).toBe("already_resolved")
    expect(await codeOf(resolve(operation, "accept"))).toBe("refund_in_progress")
    expect(await codeOf(resolve(operation, "dismiss"))).toBe("refund_in_progress")
    review.its().simulator.faults.clear()
    await settled()
    expect(refundsAt(operation)).toHaveLength(1)
  })

  it("money sends only the amount that the admin confirmed, whatever the gateway says by then", async () => {
    const { operation } = await late()
    const given = { expectedAmount: 25 }
    await expect(resolve(operation, "refund", given)).rejects.toMatchObject({
      code: "refund_amount_changed",
      details: { amount: "19.99", currency: "USD" },
    })
    expect(await codeOf(resolve(operation, "refund", { expectedAmount: 19.991 }))).toBe(
      "refund_amount_changed",
    )
    expect(await reread(operation)).toMatchObject({ state: "review", reservedRefundMinor: 0n })
    expect(refundsAt(operation)).toEqual([])
    await resolve(operation, "refund", { expectedAmount: 19.99 })
    await settled()
    expect(refundsAt(operation)).toMatchObject([{ amount: "19.99", status: "COMPLETED" }])
  })

  it("money that Medusa holds goes through Medusa, in the admin's name", async () => {
    const { operation, collectionId, sessionId } = await late()
    review.its().of(collectionId).payments.push({
      sessionId,
      isCaptured: true,
      isCanceled: false,
      isInOrder: false,
    })
    const asked: unknown[] = []
    const deps: FlowDeps = {
      ...review.its().deps,
      medusa: {
        ...review.its().deps.medusa,
        record: (...given) => review.its().deps.medusa.record(...given),
        refundCaptured: async (...given) => void asked.push(given),
      },
    }
    const note = "its completion was undone"
    const given = {
      operationId: operation.id,
      action: "refund",
      note,
      adminId: "user_ada",
    } as const
    await resolveOperation(deps, given)
    expect(asked).toEqual([[sessionId, { createdBy: "user_ada", note }]])
    expect(refundsAt(operation)).toEqual([])
  })
})

describe("dismissing", () => {
  it("late money ends it: no check follows, and the cart can be paid again", async () => {
    const { operation, sessionId, collectionId } = await late()
    await resolve(operation, "dismiss", { note: "given back in the portal" })
    expect(await reread(operation)).toMatchObject({ state: "failed", nextCheckAt: null })
    await bringForward(review.its().deps.database, operation.id, 0)
    expect((await reread(operation)).nextCheckAt).toBeNull()
    await startPayment(review.its().deps, { sessionId, phone: PHONE })
    expect((await review.its().shown(collectionId)).id).not.toBe(operation.id)
    expect(await reread(operation)).toMatchObject({ state: "failed" })
    const { dismissed_at: at, attention } = await readOperation(review.its().deps, operation.id)
    expect([attention, typeof at]).toEqual([null, "string"])
  })

  it("a paid page stays dismissed when its shopper comes back", async () => {
    const cart = review.its().cart(HOSTED)
    await startPayment(review.its().deps, { sessionId: cart.sessionId, phone: PHONE })
    const operation = await review.its().shown(cart.collectionId)
    review.its().of(cart.collectionId).total = "25.00"
    review.its().simulator.hosted.pay(operation.sourceId ?? 0, { method: "card" })
    expect(await checkAfter(operation, HOUR)).toMatchObject({
      state: "review",
      reason: "cart_changed",
    })
    await resolve(operation, "dismiss")
    await visitReturn(review.its().deps, { token: operation.returnToken ?? "", result: "success" })
    await checkDueOperations(review.its().deps, { atMost: 50 })
    expect(await reread(operation)).toMatchObject({ state: "failed", nextCheckAt: null })
  })

  it("money needs the gateway's answer, unless the review is about its silence", async () => {
    const { operation } = await late()
    away()
    expect(await codeOf(resolve(operation, "dismiss"))).toBe("gateway_unavailable")
    await review
      .its()
      .ledger.sql("update mp_operation set reason = 'no_answer' where id = $1", [operation.id])
    review.its().simulator.faults.clear()
    away()
    expect(await resolve(operation, "dismiss")).toEqual({ kind: "unanswered" })
  })
})
