/**
 * [B11] Refunds that move another amount than was asked for. The wire has no currency (contract, 3
 * and 17.2): here the gateway takes the amount in the payer's, Liberian dollars, and the answer to
 * the session shows nothing of it. Only the execution does.
 */
import type { Operation } from "../../../src/core/operation"
import { resolveOperation } from "../../../src/review/resolve"
import { checkNow } from "../../../src/worker/check-due-operations"
import { startPayment } from "../../../src/checkout/start-payment"
import { SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { PHONE } from "../../support/flows-harness"
import { judgeEach, medusaRefunds } from "../../support/medusa-refunds"
import { actsIn, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness({ refundCurrency: "PAYER", showsRefundSession: false })
const { click, cartOf, refundsIn, only, checkAfter } = medusaRefunds(harness)
const { reread } = actsIn(harness)

judgeEach(harness)

/** An order of 19.99 USD, paid in this currency. */
async function paidIn(payerCurrency: string): Promise<Operation> {
  const { collectionId, sessionId } = harness.cart()
  await startPayment(harness.deps, { sessionId, phone: PHONE, payerCurrency })
  const { id, reference } = await harness.shown(collectionId)
  harness.simulator.handset.approve(reference ?? "")
  await harness.pass(id, 3 * SECOND)
  await checkNow(harness.deps, id)
  return harness.shown(collectionId)
}

/** 19.99 Liberian dollars went back, and it is seen. */
async function misread(): Promise<{ parent: Operation; refund: Operation }> {
  const parent = await paidIn("LRD")
  expect(await click(parent)).toBe("refund_in_progress")
  return { parent, refund: await checkAfter(await only(parent), 5 * SECOND) }
}

const decide = ({ id }: Operation, action: "accept" | "dismiss" | "refund") =>
  resolveOperation(harness.deps, { operationId: id, action, note: "seen", adminId: "user_ada" })

async function factsOf({ id }: Operation, name: string): Promise<unknown> {
  const [event] = await harness.ledger.sql(
    "select facts from mp_operation_event where operation_id = $1 and name = $2",
    [id, name],
  )
  return event?.["facts"]
}

it("[B11] while it is on its way Medusa gets refund_in_progress, and shows no refund", async () => {
  const parent = await paidIn("LRD")
  expect(await click(parent)).toBe("refund_in_progress")
  expect(refundsIn(parent)).toMatchObject([{ amount: "19.99", currency: "LRD" }])
  expect(await only(parent)).toMatchObject({ state: "submitted", answeredAt: null })
  expect(cartOf(parent).refunds).toEqual([])
})

it("[B11] once the money went back it is in review, its part stays reserved, and no admin can ask again", async () => {
  const { parent, refund } = await misread()
  expect(refund).toMatchObject({ state: "review", reason: "amount_mismatch", nextCheckAt: null })
  expect(await factsOf(refund, "doubt")).toMatchObject({
    payer_amount: "0.10 USD",
    payee_amount: "19.99 LRD",
  })
  expect(harness.logged.join()).toContain("needs a review (amount_mismatch)")
  const after = await reread(parent)
  expect([after.reservedRefundMinor, after.refundedMinor]).toEqual([1_999n, 0n])
  expect(after.returnedAt).toBeNull()
  expect(await click(parent)).toBe("under_review")
  expect(refundsIn(parent)).toHaveLength(1)
})

it("[B11] it can't be dismissed against the gateway's word, and accepted it counts", async () => {
  const { parent, refund } = await misread()
  expect(await codeOf(decide(refund, "dismiss"))).toBe("refund_completed")
  expect(await codeOf(decide(refund, "refund"))).toBe("action_not_possible")
  await decide(refund, "accept")
  expect(await reread(refund)).toMatchObject({ state: "completed", reason: null })
  expect(await reread(parent)).toMatchObject({ refundedMinor: 1_999n, reservedRefundMinor: 1_999n })
})

it("that fails is free again, as any that fails", async () => {
  const parent = await paidIn("LRD")
  harness.simulator.plan({ operationType: "REFUND", outcome: "decline", afterMs: 3_000, times: 1 })
  expect(await click(parent)).toBe("refund_in_progress")
  const refund = await checkAfter(await only(parent), 5 * SECOND)
  expect(await checkAfter(refund, 6 * SECOND)).toMatchObject({ state: "failed" })
  expect((await reread(parent)).reservedRefundMinor).toBe(0n)
})

it("paid in the shop's own currency it means the same in either, and is done", async () => {
  const parent = await paidIn("USD")
  expect(await click(parent)).toMatch(/^ref_/)
  expect(await checkAfter(await only(parent), 5 * SECOND)).toMatchObject({ state: "completed" })
})
