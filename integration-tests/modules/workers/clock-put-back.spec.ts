/**
 * [P20] The database's clock was ahead and is put right. What it wrote meanwhile is written here by
 * moving every moment of every table into the future.
 */
import { systemClock } from "../../../src/core/ports"
import type { Operation } from "../../../src/core/operation"
import { LIMITS } from "../../../src/core/limits"
import { startPayment } from "../../../src/checkout/start-payment"
import type { FlowDeps } from "../../../src/engine/deps"
import { bringForward, markWaiting } from "../../../src/ledger/bring-forward"
import { findClockPutBack, MOMENTS } from "../../../src/ledger/clock-put-back"
import { raiseMark } from "../../../src/ledger/database-mark"
import { takeFromBuckets } from "../../../src/ledger/limits/buckets"
import { finishTask, takeTask } from "../../../src/ledger/tasks"
import { beat } from "../../../src/worker/beat"
import { checkDueOperations } from "../../../src/worker/check-due-operations"
import { underWay } from "../../../src/worker/under-way"
import { DAY, HOUR, MINUTE, SECOND } from "../../support/an-operation"
import { PHONE } from "../../support/flows-harness"
import { actsIn, breachesIn, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()
const { reread } = actsIn(harness)
const sql = (text: string, parameters: unknown[] = []) => harness.ledger.sql(text, parameters)

beforeEach(async () => {
  for (const table of ["mp_database_mark", "mp_worker", "mp_task", "mp_bucket"]) {
    await sql(`delete from ${table}`)
  }
  // The payments of the other tests are not due in this one.
  await sql(
    "update mp_operation set next_check_at = now() + interval '10 min' where next_check_at > '-infinity'",
  )
  harness.logged.length = 0
  harness.simulator.resetCalls()
})
afterEach(async () => {
  await sql("update mp_account set checks_per_second_max = 1000000, checks_counted_at = now()")
  expect(await breachesIn(harness)).toEqual([])
})

/** Every moment that the schema can hold. */
async function moments(): Promise<{ table: string; column: string }[]> {
  const rows = await sql(
    `select table_name as table, column_name as column from information_schema.columns
      where table_schema = 'public' and table_name like 'mp\\_%' and data_type like 'timestamp%'`,
  )
  return rows.map(({ table, column }) => ({ table: String(table), column: String(column) }))
}

/** As if the clock had been so much ahead for all that is stored, but for these operations. */
async function aheadBy(ms: number, spared: readonly Operation[] = []): Promise<void> {
  const all = await moments()
  const tables = [...new Set(all.map(({ table }) => table))]
  for (const table of tables) {
    const own = all.filter((one) => one.table === table)
    const sets = own.map(({ column }) => `${column} = ${column} + $1 * interval '1 ms'`)
    const isOther = table === "mp_operation" ? "where not id = any($2)" : ""
    const ids = table === "mp_operation" ? [spared.map(({ id }) => id)] : []
    await sql(`update ${table} set ${sets.join(", ")} ${isOther}`, [ms, ...ids])
  }
}

const workers = (): FlowDeps[] =>
  ["one", "two"].map((worker) => ({ ...harness.deps, worker, underWay: underWay(systemClock) }))
const bothBeat = () => Promise.all(workers().map((deps) => beat(deps)))
const bothCheck = () =>
  Promise.all(workers().map((deps) => checkDueOperations(deps, { atMost: 20 })))

const asked = () => harness.simulator.calls["getCollectionStatus"] ?? 0
const putBackLines = () => harness.logged.filter((line) => line.includes("clock was put back"))

/** A prompt on a phone, due now. */
async function prompted(): Promise<Operation> {
  const { collectionId, sessionId } = harness.cart()
  await startPayment(harness.deps, { sessionId, phone: PHONE })
  const operation = await harness.shown(collectionId)
  await harness.pass(operation.id, 3 * SECOND)
  return reread(operation)
}

describe.each([MINUTE, HOUR, 2 * DAY])("a clock that was ahead by %i ms and is put back", (ms) => {
  it("leaves no paid prompt unasked, and has none asked in a loop", async () => {
    const operation = await prompted()
    await sql(
      `update mp_account set checks_per_second_max = 5, checks_left = 0,
              checks_counted_at = now() - interval '1 s'`,
    )
    await bothBeat()
    await aheadBy(ms)
    harness.simulator.handset.approve(operation.reference ?? "")
    await bothCheck()
    expect(asked()).toBe(0)
    await bothBeat()
    await bothCheck()
    expect(await reread(operation)).toMatchObject({ state: "completed" })
    expect((await reread(operation)).recordedAt).not.toBeNull()
    expect(asked()).toBe(1)
    await bothBeat()
    await bothCheck()
    expect(asked()).toBe(1)
  })

  it("is noticed by one worker, once, also where the one that saw it first has died", async () => {
    const before = await prompted()
    await bothBeat()
    await aheadBy(ms)
    expect(await raiseMark(harness.ledger.database)).toMatchObject({ isAhead: true })
    await bothBeat()
    await bothBeat()
    expect(putBackLines()).toHaveLength(1)
    const putBack = await findClockPutBack(harness.ledger.database)
    const after = await reread(before)
    // What passed between the two signs of life is not known, and remains.
    const remains = ms - (putBack?.ms ?? 0)
    const moved = (after.nextCheckAt?.getTime() ?? 0) - (before.nextCheckAt?.getTime() ?? 0)
    expect(Math.abs(moved - remains)).toBeLessThanOrEqual(1)
    expect(remains).toBeGreaterThanOrEqual(0)
  })

  it("lets pages, tasks, leases and limits go on", async () => {
    const { database } = harness.ledger
    const operation = await prompted()
    await sql(
      `update mp_operation set next_check_at = now() + interval '1 hour', checked_at = now(),
              waiting = true, waiting_at = now() - interval '10 s' where id = $1`,
      [operation.id],
    )
    const task = await takeTask(database, "sweep", MINUTE, { worker: "died" })
    if (task) await finishTask(database, task, { inMs: 0 })
    await takeTask(database, "retain", 0, { worker: "died" })
    const bucket = [{ key: "shopper", costMs: 1, fillsInMs: 2 * SECOND }]
    await takeFromBuckets(database, bucket)
    await bothBeat()
    await aheadBy(ms)
    await bothBeat()
    await bringForward(database, operation.id, 0)
    const { nextCheckAt, readAt } = await reread(operation)
    expect(nextCheckAt?.getTime()).toBeLessThanOrEqual(readAt.getTime())
    await sql("update mp_operation set next_check_at = now() + interval '1 hour' where id = $1", [
      operation.id,
    ])
    await markWaiting(database, [operation.id], 0)
    const waiting = await reread(operation)
    const inMs = (waiting.nextCheckAt?.getTime() ?? Infinity) - waiting.readAt.getTime()
    expect(inMs).toBeLessThanOrEqual(LIMITS.waitingCheckFloorMs)
    expect(await takeTask(database, "sweep", MINUTE)).toBeDefined()
    expect(await takeTask(database, "retain", MINUTE)).toBeDefined()
    expect((await takeFromBuckets(database, bucket)).size).toBe(0)
  })

  it("ends no payment: neither one that it wrote itself nor one from before", async () => {
    const [written, before] = [await prompted(), await prompted()]
    await bothBeat()
    await aheadBy(ms, [before])
    await bothBeat()
    await bothCheck()
    for (const operation of [written, before]) {
      const after = await reread(operation)
      expect(after).toMatchObject({ state: "in_flight", closing: null })
      const { expiresAt } = operation
      expect(after.expiresAt.getTime()).toBeGreaterThanOrEqual(expiresAt.getTime())
    }
  })
})

it("a step of some seconds, in which clocks are kept right, moves nothing", async () => {
  await bothBeat()
  await aheadBy(LIMITS.clockPutBackMs - SECOND)
  await bothBeat()
  expect(putBackLines()).toEqual([])
  expect(await findClockPutBack(harness.ledger.database)).toBeUndefined()
})

/** The time to pay or to decide, and records of the past. */
const STAYS = `
mp_account: created_at deleted_at plain_texts_at updated_at
mp_account_event: announced_at created_at
mp_approval: approved_at asked_at closed_at
mp_credential: created_at deleted_at secret_saved_at updated_at
mp_database_mark: beat_at behind_since noticed_at put_back_at
mp_gateway_form: first_at last_at
mp_gateway_minute: last_answer_at minute
mp_method_event: announced_at created_at since
mp_notification: created_at ended_at occurred_at
mp_notification_change: created_at
mp_notification_settings: updated_at
mp_notification_trouble: since
mp_operation: answered_at dismissed_at events_pruned_at expires_at kept_at money_at order_canceled_at recorded_at returned_at taken_back_at undone_at updated_at window_done_at window_ends_at
mp_operation_event: announced_at created_at notified_at
mp_operation_session: created_at
mp_operator_limit: learned_at
mp_party: created_at updated_at
mp_payer: created_at updated_at
mp_receipt: fetched_at
mp_receipt_link: created_at ended_at renewed_at
mp_reconciliation: created_at from_at until_at
`

it("each moment of the tables is brought back, unless it is a deadline or a record", async () => {
  const stays = (await moments()).filter(({ table, column }) => !MOMENTS[table]?.includes(column))
  const tables = [...new Set(stays.map(({ table }) => table))].sort()
  const columns = (name: string) =>
    stays.filter(({ table }) => table === name).map(({ column }) => column)
  const lines = tables.map((name) => `${name}: ${columns(name).sort().join(" ")}`)
  expect(lines).toEqual(STAYS.trim().split("\n"))
})
