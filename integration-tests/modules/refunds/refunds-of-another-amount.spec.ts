/**
 * [B11] Refunds that move another amount than was requested. The wire has no currency (contract, 3
 * and 17.2): here the gateway takes the amount in the payer's currency, Liberian dollars, and only
 * the execution shows it, not the session's answer.
 */
import type { Operation } from "../../../src/core/operation"
import { resolveOperation } from "../../../src/review/resolve"
import { SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { useRefundHarness } from "../../support/refund-harness"

const { harness, paid, click, cartOf, sentOf, only, checkAfter, reread } = useRefundHarness({
  refundCurrency: "PAYER",
  showsRefundSession: false,
})

/** 19.99 Liberian dollars went back, and the check has seen it. */
async function misread(): Promise<{ parent: Operation; refund: Operation }> {
  const parent = await paid("LRD")
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

it("[B11] a refund that moves another amount is in progress for Medusa until its end, and no refund is shown", async () => {
  const parent = await paid("LRD")
  expect(await click(parent)).toBe("refund_in_progress")
  expect(sentOf(parent)).toMatchObject([{ amount: "19.99", currency: "LRD" }])
  expect(await only(parent)).toMatchObject({ state: "submitted", answeredAt: null })
  expect(cartOf(parent).refunds).toEqual([])
})

it("[B11] a refund that moved another amount is under review, its part stays reserved, and no admin can repeat it", async () => {
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
  expect(sentOf(parent)).toHaveLength(1)
})

it("[B11] a refund that moved another amount can be accepted and then counts, but not dismissed", async () => {
  const { parent, refund } = await misread()
  expect(await codeOf(decide(refund, "dismiss"))).toBe("refund_completed")
  expect(await codeOf(decide(refund, "refund"))).toBe("action_not_possible")
  expect(refund.moneyAt).not.toBeNull()
  await decide(refund, "accept")
  expect(await reread(refund)).toMatchObject({
    state: "completed",
    reason: null,
    moneyAt: refund.moneyAt,
  })
  expect(await reread(parent)).toMatchObject({ refundedMinor: 1_999n, reservedRefundMinor: 1_999n })
})

it("a refund of another amount that fails frees its part", async () => {
  const parent = await paid("LRD")
  harness.simulator.plan({ operationType: "REFUND", outcome: "decline", afterMs: 3_000, times: 1 })
  expect(await click(parent)).toBe("refund_in_progress")
  const refund = await checkAfter(await only(parent), 5 * SECOND)
  expect(await checkAfter(refund, 6 * SECOND)).toMatchObject({ state: "failed" })
  expect((await reread(parent)).reservedRefundMinor).toBe(0n)
})

it("a refund of a payment in the shop's currency moves the amount that was requested", async () => {
  const parent = await paid("USD")
  expect(await click(parent)).toMatch(/^ref_/)
  expect(await checkAfter(await only(parent), 5 * SECOND)).toMatchObject({ state: "completed" })
})
