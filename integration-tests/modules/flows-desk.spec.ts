/**
 * A person decides about money that waits: over a real ledger and the simulator, whose book has the
 * last word. Each decision asks the gateway first, is written once, and says who and why.
 */
import { checkDueOperations } from "../../src/worker/check-due-operations"
import type { FlowDeps } from "../../src/engine/deps"
import { askNow } from "../../src/engine/ask-now"
import { readOperation } from "../../src/review/read-operations"
import { resolveOperation } from "../../src/review/resolve"
import { requestRefund } from "../../src/refunds/request-refund"
import { retryRefund } from "../../src/review/retry-refund"
import { visitReturn } from "../../src/checkout/return-visit"
import { startPayment } from "../../src/checkout/start-payment"
import { bringForward } from "../../src/ledger/bring-forward"
import { findRefundsOf } from "../../src/refunds/sql/find-refunds"
import { HOUR, SECOND } from "../support/an-operation"
import { useDeskWorld } from "../support/desk-world"
import { codeOf } from "../support/code-of"
import { HOSTED, PHONE, PUSH } from "../support/flows-world"

/** Its source reads 1.00 too much once it is paid. */
const OVERSTATED = "+231770000009"

const desk = useDeskWorld()
const { quick, reread, finding, settled, late, surplus, resolve, refundsAt, decided } = desk

describe("accept", () => {
  it("[B05] brings late money into its order, and says who, why and what the gateway said", async () => {
    const { operation, collectionId } = await late()
    expect(await resolve(operation, "accept")).toMatchObject({ kind: "reads", isPaid: true })
    expect(await reread(operation)).toMatchObject({ state: "completed", surplus: false })
    await checkDueOperations(desk.its().deps, { atMost: 50 })
    expect((await reread(operation)).recordedAt).not.toBeNull()
    expect(desk.its().of(collectionId)).toMatchObject({
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

  it("[B01] is refused for surplus while another payment is live or has paid the order", async () => {
    for (const secondIs of ["waiting", "paid"] as const) {
      const { operation, second } = await surplus(secondIs)
      expect(await codeOf(resolve(operation, "accept"))).toBe("another_payment_live")
      expect(await reread(operation)).toMatchObject({ state: "review", surplus: true })
      expect((await reread(second)).state).toBe(secondIs === "paid" ? "completed" : "in_flight")
    }
  })

  it("takes surplus as the payment once the other one has ended", async () => {
    const { operation, collectionId } = await surplus("declined")
    await resolve(operation, "accept")
    await checkDueOperations(desk.its().deps, { atMost: 50 })
    expect(await reread(operation)).toMatchObject({ state: "completed", surplus: false })
    expect(desk.its().of(collectionId).completions).toBe(1)
  })

  it("never puts surplus onto the payment of another that was given back", async () => {
    const { operation, second } = await surplus("paid")
    const amount = "19.99"
    await requestRefund(quick(), {
      operationId: second.id,
      hostAmount: amount,
      capturedAmount: amount,
      hostRefundId: null,
      askedBy: "medusa",
      code: "refund_by_medusa",
      isWaitedFor: true,
    })
    await settled()
    expect((await reread(second)).returnedAt).not.toBeNull()
    expect(await codeOf(resolve(operation, "accept"))).toBe("another_payment_live")
  })

  it("[B17] never onto an order that is cancelled", async () => {
    const { operation, collectionId } = await late()
    desk.its().of(collectionId).order = { id: `order_${collectionId}`, isCanceled: true }
    expect(await codeOf(resolve(operation, "accept"))).toBe("order_closed")
    expect(await reread(operation)).toMatchObject({ state: "review", version: operation.version })
  })

  it("[B12] is refused where cart and money differ by now, and where another cart is named", async () => {
    const { operation, collectionId } = await late()
    expect(await codeOf(resolve(operation, "accept", { cartId: "cart_other" }))).toBe(
      "not_its_order",
    )
    expect(await codeOf(resolve(operation, "accept", { orderId: "order_x" }))).toBe("not_its_order")
    desk.its().of(collectionId).total = "25.00"
    expect(await codeOf(resolve(operation, "accept"))).toBe("amount_differs")
    desk.its().of(collectionId).total = "19.99"
    desk.its().of(collectionId).sessions = []
    expect(await codeOf(resolve(operation, "accept"))).toBe("cannot_be_settled")
  })

  it("needs the gateway's word at that moment, whatever the ledger thought before", async () => {
    const { operation } = await late()
    desk.its().simulator.faults.script("getCollectionStatus", ["500", "500", "500"])
    expect(await codeOf(resolve(operation, "accept"))).toBe("gateway_unavailable")
    desk.its().simulator.faults.clear()
    const without = { ...quick(), gatewayOf: () => undefined }
    const asked = { operationId: operation.id, note: "x", adminId: "user_ada" } as const
    expect(await codeOf(resolveOperation(without, { ...asked, action: "accept" }))).toBe(
      "not_configured",
    )
    expect(await reread(operation)).toMatchObject({ state: "review", version: operation.version })
  })

  it("of what was never paid is refused, with what the gateway reads", async () => {
    const cart = desk.its().cart(HOSTED)
    await startPayment(desk.its().deps, { sessionId: cart.sessionId, phone: PHONE })
    const operation = await desk.its().shown(cart.collectionId)
    await desk.its().ledger.sql(
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
    expect(await codeOf(resolve(operation, "refund"))).toBe("payment_intent_unknown")
  })
})

describe("two admins at the same moment", () => {
  const CODES = ["already_resolved", "none"]

  it.each([
    ["accept", "accept"],
    ["accept", "dismiss"],
    ["dismiss", "dismiss"],
    ["refund", "refund"],
    ["accept", "refund"],
    ["dismiss", "refund"],
  ] as const)("%s and %s: one is done, the other told so", async (one, other) => {
    const { operation } = await late()
    const codes = await Promise.all([
      codeOf(resolve(operation, one)),
      codeOf(resolve(operation, other, { adminId: "user_bob" })),
    ])
    if (one === "accept" && other === "refund" && codes[1] === "none") codes[0] = "already_resolved"
    if (one === "dismiss" && other === "refund" && codes[1] === "none")
      codes[0] = "already_resolved"
    expect(codes.sort()).toEqual(CODES)
    await settled()
    const [refunds, accepted] = [refundsAt(operation).length, (await reread(operation)).recordedAt]
    expect(refunds + (accepted ? 1 : 0)).toBeLessThanOrEqual(1)
    expect(await decided(operation)).toHaveLength(1)
  })

  it("one after the other: the second is told who was faster", async () => {
    const { operation } = await late()
    await resolve(operation, "dismiss")
    await expect(resolve(operation, "dismiss", { adminId: "user_bob" })).rejects.toMatchObject({
      code: "already_resolved",
      details: { decided: { action: "dismiss", by: "user_ada" } },
    })
  })
})

describe("refund", () => {
  it("[B05] gives late money back to who paid it, followed to its end", async () => {
    const { operation, sessionId } = await late()
    await resolve(operation, "refund")
    expect(await reread(operation)).toMatchObject({ reservedRefundMinor: 1_999n })
    expect((await readOperation(desk.its().deps, operation.id)).refunds).toMatchObject([
      { progress: "on_its_way", amount: 19.99, asked_by: "user_ada" },
    ])
    await settled()
    expect(refundsAt(operation)).toMatchObject([{ amount: "19.99", status: "COMPLETED" }])
    expect((await reread(operation)).returnedAt).not.toBeNull()
    expect(await decided(operation)).toMatchObject([{ name: "give_back", by: "user_ada" }])
    expect(await startPayment(desk.its().deps, { sessionId, phone: PHONE })).toMatchObject({
      state: "waiting_for_payer",
    })
  })

  it("[B01] of surplus goes straight back and leaves the payment of the order alone", async () => {
    const { operation, second, collectionId } = await surplus("paid")
    await resolve(operation, "refund")
    await settled()
    expect(refundsAt(operation)).toHaveLength(1)
    expect(refundsAt(second)).toEqual([])
    expect(await reread(second)).toMatchObject({ state: "completed", returnedAt: null })
    expect(desk.its().of(collectionId).payments).toHaveLength(1)
  })

  it("leaves it in review where the gateway says no, and it can be asked for again", async () => {
    const { operation } = await late()
    desk.its().simulator.plan({ operationType: "REFUND", outcome: "insufficient_funds", times: 1 })
    expect(await codeOf(resolve(operation, "refund"))).toBe("gateway_refused")
    expect((await reread(operation)).state).toBe("review")
    await settled()
    expect(await reread(operation)).toMatchObject({ state: "review", reservedRefundMinor: 0n })
    await resolve(operation, "refund")
    await settled()
    expect((await reread(operation)).returnedAt).not.toBeNull()
  })

  it.each([PUSH, HOSTED])(
    "[B38] of %s gives back what was taken, where the paid source reads more",
    async (providerId) => {
      const { cart, deps, shown, simulator } = desk.its()
      const { sessionId, collectionId } = cart(providerId)
      await startPayment(deps, { sessionId, phone: OVERSTATED })
      const started = await shown(collectionId)
      const { sourceId } = started
      if (providerId === HOSTED) {
        const paying = { method: "mobile_money", phone: OVERSTATED.slice(1) } as const
        simulator.hosted.pay(sourceId ?? 0, paying)
      }
      desk.its().later(5 * SECOND)
      const operation = await finding(started, 5 * SECOND)
      expect(operation).toMatchObject({ state: "review", reason: "amount_mismatch" })
      const intent = simulator.book.executions().find((one) => one.sourceId === sourceId)
      await desk
        .its()
        .ledger.sql("update mp_operation set payment_intent_id = $2 where id = $1", [
          operation.id,
          intent?.paymentIntentId,
        ])
      expect(await askNow(deps, operation)).toMatchObject({
        total: { minor: 2_099n },
        taken: { minor: 1_999n },
      })
      await resolve(operation, "refund", { expectedAmount: 19.99 })
      await settled()
      expect((await reread(operation)).returnedAt).not.toBeNull()
      const refunds = simulator.book
        .refunds()
        .filter(({ originalReference }) => originalReference === intent?.reference)
      expect(refunds).toMatchObject([{ amount: "19.99", status: "COMPLETED" }])
    },
  )

  it("that failed is made once more, [B34] but not once the money was accepted", async () => {
    for (const isAccepted of [false, true]) {
      const { operation, collectionId } = await late()
      desk
        .its()
        .simulator.plan({ operationType: "REFUND", outcome: "insufficient_funds", times: 1 })
      expect(await codeOf(resolve(operation, "refund"))).toBe("gateway_refused")
      await settled()
      const [failed] = await findRefundsOf(desk.its().deps.database, operation.id)
      expect(failed?.state).toBe("failed")
      if (isAccepted) await resolve(operation, "accept")
      const retried = codeOf(retryRefund(quick(), failed?.id ?? "", "user_ada"))
      expect(await retried).toBe(isAccepted ? "refund_unavailable" : "none")
      await settled()
      const sent = refundsAt(operation).filter(({ status }) => status === "COMPLETED")
      expect(sent).toHaveLength(isAccepted ? 0 : 1)
      expect(desk.its().of(collectionId).completions).toBe(isAccepted ? 1 : 0)
    }
  })

  it("while one is on its way there is nothing left to decide", async () => {
    const { operation } = await late()
    desk.its().simulator.faults.script("executeRefund", ["reset:after"])
    desk.its().simulator.faults.script(
      "getRefundStatus",
      Array.from({ length: 9 }, () => "404"),
    )
    await resolve(operation, "refund")
    expect(await codeOf(resolve(operation, "refund"))).toBe("already_resolved")
    expect(await codeOf(resolve(operation, "accept"))).toBe("refund_in_progress")
    expect(await codeOf(resolve(operation, "dismiss"))).toBe("refund_in_progress")
    desk.its().simulator.faults.clear()
    await settled()
    expect(refundsAt(operation)).toHaveLength(1)
  })

  it("sends the amount that was confirmed and no other, whatever the gateway says by then", async () => {
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

  it("through Medusa where Medusa holds it, in the admin's name", async () => {
    const { operation, collectionId, sessionId } = await late()
    desk.its().of(collectionId).payments.push({
      sessionId,
      isCaptured: true,
      isCanceled: false,
      isInOrder: false,
    })
    const asked: unknown[] = []
    const deps: FlowDeps = {
      ...desk.its().deps,
      host: {
        ...desk.its().deps.host,
        record: (...given) => desk.its().deps.host.record(...given),
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

describe("dismiss", () => {
  it("is the end: nobody looks again, and the cart can be paid anew", async () => {
    const { operation, sessionId, collectionId } = await late()
    await resolve(operation, "dismiss", { note: "given back in the portal" })
    expect(await reread(operation)).toMatchObject({ state: "failed", nextCheckAt: null })
    await bringForward(desk.its().deps.database, operation.id, 0)
    expect((await reread(operation)).nextCheckAt).toBeNull()
    await startPayment(desk.its().deps, { sessionId, phone: PHONE })
    expect((await desk.its().shown(collectionId)).id).not.toBe(operation.id)
    expect(await reread(operation)).toMatchObject({ state: "failed" })
    const { dismissed_at: at, attention } = await readOperation(desk.its().deps, operation.id)
    expect([attention, typeof at]).toEqual([null, "string"])
  })

  it("of a paid page stays so when its shopper comes back", async () => {
    const cart = desk.its().cart(HOSTED)
    await startPayment(desk.its().deps, { sessionId: cart.sessionId, phone: PHONE })
    const operation = await desk.its().shown(cart.collectionId)
    desk.its().of(cart.collectionId).total = "25.00"
    desk.its().simulator.hosted.pay(operation.sourceId ?? 0, { method: "card" })
    expect(await finding(operation, HOUR)).toMatchObject({
      state: "review",
      reason: "cart_changed",
    })
    await resolve(operation, "dismiss")
    await visitReturn(desk.its().deps, { token: operation.returnToken ?? "", result: "success" })
    await checkDueOperations(desk.its().deps, { atMost: 50 })
    expect(await reread(operation)).toMatchObject({ state: "failed", nextCheckAt: null })
  })

  it("waits while the gateway is away, unless its silence is what is decided about", async () => {
    const { operation } = await late()
    const away = () =>
      desk.its().simulator.faults.script("getCollectionStatus", ["500", "500", "500"])
    away()
    expect(await codeOf(resolve(operation, "dismiss"))).toBe("gateway_unavailable")
    await desk
      .its()
      .ledger.sql("update mp_operation set reason = 'no_answer' where id = $1", [operation.id])
    desk.its().simulator.faults.clear()
    away()
    expect(await resolve(operation, "dismiss")).toEqual({ kind: "unanswered" })
  })
})
