/**
 * The review beyond decisions about payments: refunds of unknown outcome, refunds that need two
 * admins, payment intents, and checks that an admin requests.
 */
import { LIMITS } from "../../../src/core/limits"
import type { Operation } from "../../../src/core/operation"
import { checkNow } from "../../../src/worker/check-due-operations"
import { checkForPerson } from "../../../src/review/check"
import { enterPaymentIntent } from "../../../src/review/payment-intent"
import { readOperation, readOrder } from "../../../src/review/read-operations"
import { sendRefund } from "../../../src/refunds/send-refund-to-gateway"
import { startPayment } from "../../../src/checkout/start-payment"
import { advanceRefund } from "../../../src/ledger/advance-refund"
import { findRefundsOf } from "../../../src/refunds/sql/find-refunds"
import { MINUTE, SECOND } from "../../support/an-operation"
import { useReviewHarness } from "../../support/review-harness"
import { listWaiting } from "../../../src/ledger/requests"
import { approveRefund } from "../../../src/review/approve-refund"
import { codeOf } from "../../support/code-of"
import { PHONE } from "../../support/flows-harness"

const review = useReviewHarness()
const { reread, checkAfter, settled, late, resolve, refundsAt, eventsOf } = review

/** A cart that was paid by phone and is an order. */
async function paid(): Promise<Operation> {
  const { deps, simulator, cart, shown, pass } = review.its()
  const { collectionId, sessionId } = cart()
  await startPayment(deps, { sessionId, phone: PHONE })
  const { id, reference } = await shown(collectionId)
  simulator.handset.approve(reference ?? "")
  await pass(id, 3 * SECOND)
  await checkNow(deps, id)
  return shown(collectionId)
}

const ask = (parent: Operation, medusaAmount = "19.99") =>
  sendRefund(review.quick(), {
    operationId: parent.id,
    medusaAmount,
    capturedAmount: "19.99",
    medusaRefundId: null,
    askedBy: "medusa",
    code: "refund_by_medusa",
    isWaitedFor: true,
  })

async function only(parent: Operation): Promise<Operation> {
  const [refund, ...others] = await findRefundsOf(review.its().deps.database, parent.id)
  if (!refund || others.length > 0) throw new Error(`${others.length + 1} refunds, not one`)
  return refund
}

/** Requested, and for days the gateway could not say what became of it. */
async function unknown(outcome: "approve" | "decline"): Promise<Operation> {
  const { simulator, deps } = review.its()
  const parent = await paid()
  simulator.plan({ operationType: "REFUND", outcome, times: 1 })
  simulator.faults.script("executeRefund", ["reset:after"])
  simulator.faults.script(
    "getRefundStatus",
    Array.from({ length: 9 }, () => "404"),
  )
  await ask(parent)
  const doubt = {
    event: "doubt",
    code: "no_final_answer",
    changes: { reason: "no_answer" },
  } as const
  const held = await advanceRefund(deps.database, await only(parent), {
    ...doubt,
    next: "never",
    lease: "release",
  })
  if (!held) throw new Error("the refund is not held")
  simulator.faults.clear()
  review.its().later(MINUTE)
  return held.operation
}

describe("a refund of unknown outcome", () => {
  it("[B20] can be accepted when the gateway says that it went through, and then counts", async () => {
    const refund = await unknown("approve")
    expect(await codeOf(resolve(refund, "dismiss"))).toBe("refund_completed")
    expect(await codeOf(resolve(refund, "refund"))).toBe("action_not_possible")
    await resolve(refund, "accept")
    expect(await reread(refund)).toMatchObject({ state: "completed", nextCheckAt: null })
    const parent = await reread({ id: refund.parentId ?? "" })
    expect(parent).toMatchObject({ refundedMinor: 1_999n })
    expect((await eventsOf(refund)).at(-1)).toMatchObject({ name: "accept", by: "user_ada" })
    expect(await codeOf(resolve(refund, "accept"))).toBe("already_resolved")
  })

  it("[B21] can be dismissed when the gateway says that it failed, and its part is free", async () => {
    const refund = await unknown("decline")
    expect(await codeOf(resolve(refund, "accept"))).toBe("refund_not_completed")
    await resolve(refund, "dismiss")
    expect(await reread(refund)).toMatchObject({ state: "failed" })
    const parent = await reread({ id: refund.parentId ?? "" })
    expect(parent.reservedRefundMinor).toBe(0n)
    expect(await ask(parent)).toMatchObject({ kind: "accepted" })
  })

  it("that an admin dismisses without the gateway's answer is watched, and comes back when it went through", async () => {
    const refund = await unknown("approve")
    review.its().simulator.faults.script(
      "getRefundStatus",
      Array.from({ length: 9 }, () => "500"),
    )
    expect(await resolve(refund, "dismiss")).toEqual({ kind: "unanswered" })
    expect((await reread(refund)).nextCheckAt).not.toBeNull()
    review.its().simulator.faults.clear()
    expect(await checkAfter(refund, 2 * MINUTE)).toMatchObject({
      state: "review",
      reason: "late_refund",
    })
    await resolve(refund, "accept")
    expect(await reread(refund)).toMatchObject({ state: "completed", isDuplicate: false })
    const parent = await reread({ id: refund.parentId ?? "" })
    expect(parent).toMatchObject({ reservedRefundMinor: 1_999n, refundedMinor: 1_999n })
    expect(parent.returnedAt).not.toBeNull()
  })

  it("that went through after another refund of the same money counts as a duplicate when accepted", async () => {
    const refund = await unknown("approve")
    review.its().simulator.faults.script(
      "getRefundStatus",
      Array.from({ length: 9 }, () => "500"),
    )
    await resolve(refund, "dismiss")
    const parent = await reread({ id: refund.parentId ?? "" })
    // The gateway is still silent about the first, which an admin has dismissed.
    expect(await ask(parent)).toMatchObject({ refund: { parentId: parent.id } })
    review.its().simulator.faults.clear()
    expect(await checkAfter(refund, 2 * MINUTE)).toMatchObject({
      state: "review",
      reason: "late_refund",
    })
    await resolve(refund, "accept")
    expect(await reread(refund)).toMatchObject({ state: "completed", isDuplicate: true })
    expect(await reread(parent)).toMatchObject({ reservedRefundMinor: 1_999n })
  })

  it("is decided by one of two admins", async () => {
    const refund = await unknown("approve")
    const codes = await Promise.all([
      codeOf(resolve(refund, "accept")),
      codeOf(resolve(refund, "accept", { adminId: "user_bob" })),
    ])
    expect(codes.sort()).toEqual(["already_resolved", "none"])
  })
})

describe("a refund above the account's limit", () => {
  const limit = (above: Record<string, number> | null) =>
    review.policies({ refund_second_admin_above: above })

  afterEach(() => limit(null))

  const approve = async (adminId: string) => {
    const { database, people } = review.its().deps
    const [request] = await listWaiting(database, people, ["REFUND"])
    const answer = { id: request?.id ?? "", adminId, note: undefined }
    return codeOf(approveRefund(review.its().deps, answer))
  }

  it("needs a second admin, whose approval is used by the sending", async () => {
    await limit({ USD: 10 })
    const { operation } = await late()
    const codes = ["user_ada", "user_ada", "user_bob"].map((adminId) =>
      codeOf(resolve(operation, "refund", { adminId })),
    )
    expect(new Set(await Promise.all(codes))).toEqual(new Set(["refund_needs_second_admin"]))
    expect(refundsAt(operation)).toEqual([])
    const asked = await review.its().ledger.sql("select asked_by from mp_approval")
    expect(asked).toHaveLength(1)
    expect(await Promise.all([approve("user_eve"), approve("user_eve")])).toEqual(["none", "none"])
    expect(refundsAt(operation)).toHaveLength(1)
    expect(await review.its().ledger.sql("select asked_by, approved_by from mp_approval")).toEqual([
      { ...asked[0], approved_by: "user_eve" },
    ])
  })
})

describe("a payment intent that an admin enters", () => {
  const enter = ({ id }: Pick<Operation, "id">, paymentIntentId: number) =>
    enterPaymentIntent(review.its().deps, { operationId: id, paymentIntentId, adminId: "user_ada" })

  const forget = ({ id }: Operation) =>
    review.its().ledger.sql("update mp_operation set payment_intent_id = null where id = $1", [id])

  it("is used for the refund, and recorded with the admin", async () => {
    const { operation } = await late()
    const told = operation.paymentIntentId ?? 0
    await forget(operation)
    await enter(operation, told)
    await enter(operation, told)
    expect((await eventsOf(operation)).at(-1)).toMatchObject({
      name: "payment_intent",
      by: "user_ada",
      facts: { payment_intent_id: told, before: null },
    })
    await resolve(operation, "refund")
    await settled()
    expect((await reread(operation)).returnedAt).not.toBeNull()
  })

  it("is not needed where the gateway names it: a refund is offered, and asks for it", async () => {
    const { operation } = await late()
    await forget(operation)
    const { actions } = await readOperation(review.its().deps, operation.id)
    expect(actions).toContainEqual(expect.objectContaining({ action: "refund", is_possible: true }))
    await resolve(operation, "refund")
    await settled()
    const { paymentIntentId, returnedAt } = await reread(operation)
    expect(paymentIntentId).toBe(operation.paymentIntentId)
    expect(returnedAt).not.toBeNull()
  })

  it("is refused where another payment has it, or where a refund went out under another", async () => {
    const [one, other] = [await paid(), await paid()]
    expect(await codeOf(enter(one, other.paymentIntentId ?? 0))).toBe("payment_intent_taken")
    await ask(one, "5")
    expect(await codeOf(enter(one, 999_999_999))).toBe("payment_intent_used")
    expect((await reread(one)).paymentIntentId).toBe(one.paymentIntentId)
  })

  it("is refused for a payment without money, and for one that does not exist", async () => {
    const cart = review.its().cart()
    await startPayment(review.its().deps, { sessionId: cart.sessionId, phone: PHONE })
    const open = await review.its().shown(cart.collectionId)
    expect(await codeOf(enter(open, 5))).toBe("action_not_possible")
    expect(await codeOf(enter({ id: "mpop_none" }, 5))).toBe("operation_not_found")
  })
})

describe("a check that an admin requests", () => {
  const check = ({ id }: Pick<Operation, "id">) => checkForPerson(review.its().deps, id, "user_ada")

  it("advances a payment under way, and records the admin", async () => {
    const { deps, simulator, cart, shown } = review.its()
    const { collectionId, sessionId } = cart()
    await startPayment(deps, { sessionId, phone: PHONE })
    const operation = await shown(collectionId)
    simulator.handset.approve(operation.reference ?? "")
    expect(await check(operation)).toBeUndefined()
    expect((await reread(operation)).state).toBe("completed")
    expect(await eventsOf(operation)).toContainEqual(
      expect.objectContaining({ name: "checked_by_person", by: "user_ada" }),
    )
  })

  it("of a payment under review only reads the gateway", async () => {
    const { operation } = await late()
    expect(await check(operation)).toMatchObject({ kind: "reads", execution: "COMPLETED" })
    expect(await reread(operation)).toMatchObject({ state: "review", reason: "late_payment" })
    expect(await codeOf(check({ id: "mpop_none" }))).toBe("operation_not_found")
  })
})

describe("the admin's page", () => {
  it("of an order shows its payments with their refunds, and the possible actions", async () => {
    const operation = await paid()
    await ask(operation, "5")
    const { id, operations } = {
      id: operation.orderId ?? "",
      ...(await readOrder(review.its().deps, operation.orderId ?? "")),
    }
    expect(id).not.toBe("")
    expect(operations).toMatchObject([
      {
        id: operation.id,
        state: "completed",
        collected_amount: 19.99,
        refund_pending_amount: 5,
        phone_hint: PHONE.slice(-3),
        receipt_path: `/admin/merchant-payments/operations/${operation.id}/receipt`,
        refunds: [{ progress: "on_its_way", amount: 5 }],
        refund_times: null,
      },
    ])
    const { actions } = await readOperation(review.its().deps, operation.id)
    const possible = actions.filter((one) => one.is_possible).map(({ action }) => action)
    expect(possible).toEqual(["check", "payment_intent"])
  })

  it("shows how long recent refunds took, once enough have arrived", async () => {
    for (let n = 0; n < LIMITS.refundTimesMin; n += 1) await ask(await paid())
    await review.settled()
    await review
      .its()
      .ledger.sql(
        "update mp_operation set submitted_at = submitted_at - interval '4 min' where type = 'REFUND'",
      )
    const operation = await paid()
    const times = async () =>
      (await readOrder(review.its().deps, operation.orderId ?? "")).operations[0]?.refund_times
    expect(await times()).toBeNull()
    await ask(operation)
    const known = await times()
    expect(known?.of).toBe(LIMITS.refundTimesMin)
    expect(known?.within_ms).toBeGreaterThan(4 * MINUTE)
    expect(known?.within_ms).toBeLessThan(5 * MINUTE)
  })

  it("still links the receipt of a fully refunded payment", async () => {
    const operation = await paid()
    await ask(operation, "19.99")
    await review.settled()
    expect((await reread(operation)).returnedAt).not.toBeNull()
    const { operations } = await readOrder(review.its().deps, operation.orderId ?? "")
    expect(operations.map(({ receipt_path }) => receipt_path)).toEqual([
      `/admin/merchant-payments/operations/${operation.id}/receipt`,
    ])
  })
})
