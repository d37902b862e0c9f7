/**
 * How often the row of one payment by phone is written from start to receipt, and by which code. A
 * write that changes an indexed column goes to every index of the row, so each write that is added
 * here costs a large shop some ten disk writes.
 */
import { checkDueOperations } from "../../../src/worker/check-due-operations"
import { fetchReceipts } from "../../../src/worker/receipts"
import { readStatus } from "../../../src/checkout/read-status"
import { SECOND } from "../../support/an-operation"
import { noteRowWrites, type RowWrite } from "../../support/row-writes"
import { actsIn, breachesIn, useFlowsHarness } from "../../support/use-flows-harness"

let writesOf: Awaited<ReturnType<typeof noteRowWrites>>
const harness = useFlowsHarness({}, async ({ ledger }) => {
  writesOf = await noteRowWrites(ledger)
})
const { start, reread } = actsIn(harness)

afterEach(async () => expect(await breachesIn(harness)).toEqual([]))

/** What each write is for, told by what it changes; the first that fits. */
const WRITES: readonly (readonly [name: string, column: string])[] = [
  ["the source (open-source.ts)", "source_id"],
  ["submit, before the money call (pay-draft.ts)", "reference"],
  ["recorded in Medusa (settle-collection.ts)", "recorded_at"],
  ["completed (check.ts)", "collected_minor"],
  ["accepted (send.ts)", "last_sending"],
  ["the receipt's claim (worker/sql/receipts.ts)", "receipt_tries"],
  ["the receipt and its figures (worker/receipts.ts)", "receipt_due_at"],
  ["a check that found nothing new (postpone-operation.ts)", "next_check_at"],
  ["a claim (claim-due-operations.ts)", "lease_token"],
]

/** Entries in indexes: a write that changes a column of one of them makes one in each. */
const entriesOf = (writes: readonly RowWrite[]) =>
  writes
    .filter(({ indexed }) => indexed.length > 0)
    .reduce((entries, { heldBy }) => entries + heldBy, 0)

const nameOf = ({ changed, statement }: RowWrite) =>
  WRITES.find(([, column]) => changed.includes(column))?.[0] ?? `unknown: ${statement}`

/** A payment that the shopper watches; the phone confirms it after so many checks in vain. */
async function paidAfter(idleChecks: number): Promise<RowWrite[]> {
  const { sessionId, collectionId } = harness.cart()
  await start(sessionId)
  const operation = await harness.shown(collectionId)
  const check = async () => {
    await readStatus(harness.deps, { sessionId })
    await harness.pass(operation.id, 2 * SECOND)
    await checkDueOperations(harness.deps, { atMost: 10 })
  }
  for (let idle = 0; idle < idleChecks; idle++) await check()
  harness.simulator.handset.approve(operation.reference ?? "")
  await check()
  expect((await reread(operation)).recordedAt).not.toBeNull()
  await readStatus(harness.deps, { sessionId })
  expect(await fetchReceipts(harness.deps)).toBe(1)
  return writesOf(operation.id)
}

const START = [
  "the source (open-source.ts)",
  "submit, before the money call (pay-draft.ts)",
  "accepted (send.ts)",
]
const PAID = [
  "a claim (claim-due-operations.ts)",
  "completed (check.ts)",
  "recorded in Medusa (settle-collection.ts)",
]
const IDLE = [
  "a claim (claim-due-operations.ts)",
  "a check that found nothing new (postpone-operation.ts)",
]
const RECEIPT = [
  "the receipt's claim (worker/sql/receipts.ts)",
  "the receipt and its figures (worker/receipts.ts)",
]

it("a payment's row is written six times from start to paid order, and twice for its receipt", async () => {
  const writes = await paidAfter(0)
  expect(writes.map(nameOf)).toEqual([...START, ...PAID, ...RECEIPT])
  expect(entriesOf(writes)).toBe(81)
})

it("a payment's row is written twice more for each check without news, one of them outside the indexes", async () => {
  const writes = await paidAfter(3)
  expect(writes.map(nameOf)).toEqual([...START, ...IDLE, ...IDLE, ...IDLE, ...PAID, ...RECEIPT])
  expect(entriesOf(writes)).toBe(81 + 3 * 11)
  // A claim changes no column of an index, so it stays in the row's page.
  const inPage = writes.filter(({ indexed }) => indexed.length === 0)
  expect(inPage.map(nameOf)).toEqual(Array(4).fill("a claim (claim-due-operations.ts)"))
  for (const write of writes.filter((one) => nameOf(one) === IDLE[1])) {
    expect(write.indexed).toEqual(["next_check_at"])
  }
})
