/** Many receipts at once: fetched as fast as payments come, and never with the budget of checks. */
import { LIMITS } from "../../../src/core/limits"
import type { Operation } from "../../../src/core/operation"
import { fetchReceipts } from "../../../src/worker/receipts"
import { SECOND } from "../../support/an-operation"
import { actsIn, breachesIn, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()
const { start, checkAfter } = actsIn(harness)

beforeEach(async () => {
  await harness.ledger.sql("update mp_operation set receipt_due_at = null")
  await harness.ledger.sql(
    `update mp_account set checks_per_second_max = 1000,
            checks_left = 1000, checks_paused_until = null, checks_counted_at = now()`,
  )
})

afterEach(async () => {
  expect(await breachesIn(harness)).toEqual([])
})

const asked = () => harness.simulator.calls["retrieveOrderReceipt"] ?? 0

async function paid(number: number): Promise<Operation[]> {
  const payments: Operation[] = []
  for (let made = 0; made < number; made++) {
    const { collectionId, sessionId } = harness.cart()
    await start(sessionId)
    const operation = await harness.shown(collectionId)
    harness.simulator.handset.approve(operation.reference ?? "")
    payments.push(await checkAfter(operation, 2 * SECOND))
  }
  return payments
}

it("many receipts are fetched in one run, which keeps up with ten payments a second", async () => {
  const { receiptsPerRun, receiptsEveryMs, receiptsAtOnce } = LIMITS
  expect((receiptsPerRun / receiptsEveryMs) * SECOND).toBeGreaterThanOrEqual(10)
  const many = 2 * receiptsAtOnce + 1
  await paid(many)
  const before = asked()
  expect(await fetchReceipts(harness.deps)).toBe(many)
  expect(asked() - before).toBe(many)
  expect(await fetchReceipts(harness.deps)).toBe(0)
})

it("many receipts take only the budget that checks leave, and the others are due again untried", async () => {
  const payments = await paid(6)
  // A bucket of twenty that does not fill: half is kept for the checks of payments.
  await harness.ledger.sql(
    `update mp_account set checks_per_second_max = 20, checks_left = 12,
            checks_counted_at = now() + interval '1 hour'`,
  )
  const before = asked()
  await fetchReceipts(harness.deps)
  const taken = asked() - before
  expect(taken).toBeGreaterThan(0)
  expect(taken).toBeLessThanOrEqual(3)
  const [account] = await harness.ledger.sql("select checks_left from mp_account")
  // The link of each receipt costs one question as well.
  expect(Number(account?.["checks_left"])).toBe(12 - 2 * taken)
  const due = await harness.ledger.sql(
    `select extract(epoch from receipt_due_at - now())::float8 * 1000 as in_ms from mp_operation
      where id = any($1) and receipt_tries = 0`,
    [payments.map(({ id }) => id)],
  )
  expect(due).toHaveLength(payments.length - taken)
  for (const row of due) {
    expect(Number(row["in_ms"])).toBeLessThanOrEqual(LIMITS.receiptUnaskedMs)
  }
})
