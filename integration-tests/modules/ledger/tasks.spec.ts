/** Tasks that one worker does for all, and records that are deleted after a time. */
import { LIMITS } from "../../../src/core/limits"
import { retain } from "../../../src/reconciliation/retain"
import { runTask } from "../../../src/reconciliation/run-task"
import type { Operation } from "../../../src/core/operation"
import { findInState, findOfPeriod } from "../../../src/reconciliation/sql/find-for-period"
import { findById } from "../../../src/ledger/find-operations"
import { dropTask, findTask, finishTask, keepTask, takeTask } from "../../../src/ledger/tasks"
import { wakeForgotten, wakeOperation } from "../../../src/reconciliation/sql/wake-operations"
import { DAY, HOUR, MINUTE } from "../../support/an-operation"
import { readLedger } from "../../support/evidence"
import {
  advanced,
  reread,
  startLedgerDatabase,
  submitted,
  type LedgerDatabase,
} from "../../support/ledger-database"
import { violations } from "../../support/violations"

let ledger: LedgerDatabase
const logged: string[] = []
const log = (message: string) => void logged.push(message)
const logger = { debug: log, info: log, warn: log, error: log }

beforeAll(async () => {
  ledger = await startLedgerDatabase()
})
afterAll(() => ledger.stop())
beforeEach(async () => {
  await ledger.sql("delete from mp_task")
  logged.length = 0
})

const take = (leaseMs = MINUTE) => takeTask(ledger.database, "sweep", leaseMs)
async function found(id: string): Promise<Operation> {
  const operation = await findById(ledger.database, id)
  if (!operation) throw new Error(`${id} is gone`)
  return operation
}
const deps = () => ({ database: ledger.database, logger })
const nothing = () => Promise.resolve()

describe("a task", () => {
  it("[P10] is taken by one of many that ask at the same moment", async () => {
    const taken = await Promise.all(Array.from({ length: 12 }, () => take()))
    expect(taken.filter(Boolean)).toHaveLength(1)
  })

  it("is due again at its time, and not before", async () => {
    const task = await take()
    if (!task) throw new Error("the task was not taken")
    await finishTask(ledger.database, task, { inMs: HOUR })
    expect(await take()).toBeUndefined()
    await ledger.sql("update mp_task set due_at = due_at - $1 * interval '1 ms'", [HOUR])
    expect(await take()).toBeDefined()
  })

  it.each([0, 2, 23])("is due again at %i o'clock UTC, at least an hour from now", async (hour) => {
    const task = await take()
    if (!task) throw new Error("the task was not taken")
    await finishTask(ledger.database, task, { atUtcHour: hour })
    const [row] = await ledger.sql(
      `select extract(hour from due_at at time zone 'utc')::int as hour,
              due_at >= now() + interval '1 hour' as is_later,
              due_at <= now() + interval '25 hours' as is_soon from mp_task`,
    )
    expect(row).toEqual({ hour, is_later: true, is_soon: true })
  })

  it("[P12] goes to another worker when its lease has ended, and the first worker notices", async () => {
    const first = await take()
    await ledger.sql("update mp_task set lease_until = now() - interval '1 ms'")
    const second = await take()
    if (!first || !second) throw new Error("the task was not taken")
    expect(await keepTask(ledger.database, first, MINUTE)).toBe(false)
    expect(await keepTask(ledger.database, second, MINUTE)).toBe(true)
    await finishTask(ledger.database, first, { inMs: 0 })
    expect(await take()).toBeUndefined()
  })

  it("is found with its subject during and after its lease, until it is dropped", async () => {
    const state = () => findTask(ledger.database, "reconcile_now")
    const taken = (subject: string) =>
      takeTask(ledger.database, "reconcile_now", MINUTE, { subject })
    expect(await state()).toBeUndefined()
    await taken("a day")
    const first = await state()
    expect(first).toMatchObject({ subject: "a day", isRunning: true })
    expect(await taken("a week")).toBeUndefined()
    expect(await state()).toEqual(first)
    await ledger.sql("update mp_task set lease_until = now() - interval '1 ms'")
    expect(await state()).toEqual({ ...first, isRunning: false })
    const second = await taken("a week")
    if (!first || !second) throw new Error("the task was not taken")
    const { subject, begunAt } = (await state()) ?? {}
    expect(subject).toBe("a week")
    expect(begunAt?.getTime()).toBeGreaterThan(first.begunAt.getTime())
    await dropTask(ledger.database, second)
    expect(await state()).toBeUndefined()
  })

  it("stops at the next step once another worker has it", async () => {
    let steps = 0
    const others: (string | undefined)[] = []
    await runTask(deps(), "sweep", undefined, async (keep) => {
      steps += 1
      await ledger.sql("update mp_task set lease_until = now() - interval '1 ms'")
      others.push((await take())?.token)
      await keep()
      steps += 1
      return { inMs: 0 }
    })
    expect(steps).toBe(1)
    expect(others).toEqual([expect.any(String)])
    expect(await ledger.sql("select lease_token from mp_task")).toEqual([
      { lease_token: others[0] },
    ])
  })

  it("[P13] stops at the next step when the process ends, and another can begin it at once", async () => {
    let steps = 0
    const ending = new AbortController()
    const work = async (keep: () => Promise<void>) => {
      steps += 1
      await keep()
      ending.abort()
      await keep()
      steps += 1
      return { inMs: HOUR }
    }
    expect(await runTask(deps(), "sweep", ending.signal, work)).toBe(true)
    expect([steps, logged]).toEqual([1, []])
    expect(await runTask(deps(), "sweep", ending.signal, work)).toBe(false)
    expect(await take()).toBeDefined()
  })

  it("that fails is logged once, and comes again after a while", async () => {
    const fail = () => Promise.reject(new Error("the moon is full"))
    expect(await runTask(deps(), "sweep", undefined, fail)).toBe(true)
    expect(await runTask(deps(), "sweep", undefined, fail)).toBe(false)
    expect(logged).toEqual(["merchant payments: the sweep task stopped: the moon is full"])
  })
})

describe("an operation without a next check", () => {
  it.each(["submitted", "in_flight", "completed"])(
    "[I7] is due again where it is %s",
    async (state) => {
      const operation = await submitted(ledger.database)
      await ledger.sql("update mp_operation set next_check_at = null, state = $2 where id = $1", [
        operation.id,
        state,
      ])
      expect(await wakeForgotten(ledger.database, 10)).toEqual([{ id: operation.id, state }])
      expect((await reread(ledger.database, operation)).nextCheckAt).not.toBeNull()
      await ledger.sql("delete from mp_operation_event where operation_id = $1", [operation.id])
      await ledger.sql("delete from mp_operation_session where operation_id = $1", [operation.id])
      await ledger.sql("delete from mp_operation where id = $1", [operation.id])
    },
  )

  it("stays as it is where it has ended, is recorded, or waits for an admin or a refund", async () => {
    for (const change of [
      "state = 'failed'",
      "state = 'review'",
      "state = 'completed', recorded_at = now()",
      "state = 'completed', returned_at = now()",
      "state = 'completed', collected_minor = 1999, reserved_refund_minor = 1999",
    ]) {
      const { id } = await submitted(ledger.database)
      await ledger.sql(`update mp_operation set next_check_at = null, ${change} where id = $1`, [
        id,
      ])
    }
    expect(await wakeForgotten(ledger.database, 10)).toEqual([])
    await ledger.sql("truncate mp_operation cascade")
  })

  it("is found by an index that is empty while all is well", async () => {
    await submitted(ledger.database)
    const [row] = await ledger.sql(
      `select pg_relation_size('operation_to_wake') <= 16384 as is_small,
              (select indexdef from pg_indexes where indexname = 'operation_to_wake')
                like '%next_check_at IS NULL%' as is_partial`,
    )
    expect(row).toEqual({ is_small: true, is_partial: true })
    await ledger.sql("truncate mp_operation cascade")
  })
})

it("a woken operation is due at once, and never later than before", async () => {
  const soon = await submitted(ledger.database)
  const late = await submitted(ledger.database)
  await ledger.sql("update mp_operation set next_check_at = now() - interval '1 h' where id = $1", [
    soon.id,
  ])
  await ledger.sql("update mp_operation set next_check_at = now() + interval '1 h' where id = $1", [
    late.id,
  ])
  const before = await reread(ledger.database, soon)
  for (const { id } of [soon, late]) await wakeOperation(ledger.database, id)
  expect((await reread(ledger.database, soon)).nextCheckAt).toEqual(before.nextCheckAt)
  const { nextCheckAt, readAt } = await reread(ledger.database, late)
  expect(nextCheckAt?.getTime()).toBeLessThanOrEqual(readAt.getTime())
  await ledger.sql("truncate mp_operation cascade")
})

describe("retention", () => {
  const oracle = async () =>
    violations({
      book: { executions: () => [], documents: () => [], refunds: () => [] },
      ledger: await readLedger((sql, parameters) => ledger.sql(sql, parameters)),
      output: { texts: logged, secrets: [], phones: [] },
    })

  async function ended(ageMs: number): Promise<string> {
    const operation = await submitted(ledger.database)
    const seen = await advanced(ledger.database, operation, {
      event: "see",
      code: "execution_reads",
    })
    await advanced(ledger.database, seen, { event: "fail", code: "failed_twice", next: "never" })
    await ledger.sql(
      "update mp_operation set updated_at = now() - $2 * interval '1 ms' where id = $1",
      [operation.id, ageMs],
    )
    await markEmitted()
    return operation.id
  }
  /** Marks every event as emitted. */
  const markEmitted = () => ledger.sql("update mp_operation_event set announced_at = now()")
  const eventsOf = (id: string) =>
    ledger.sql("select seq, name, state, facts from mp_operation_event where operation_id = $1", [
      id,
    ])

  afterEach(() => ledger.sql("truncate mp_operation cascade"))

  it("[I8] makes one snapshot of an old payment's events, which still gives its state", async () => {
    const old = await ended(LIMITS.eventsKeptForMs + DAY)
    const young = await ended(LIMITS.eventsKeptForMs - DAY)
    await retain({ database: ledger.database, logger }, nothing)
    expect(await eventsOf(old)).toMatchObject([
      {
        seq: 4,
        name: "snapshot",
        state: "failed",
        facts: { events: 4, last: "fail", amount_minor: "1999", currency: "USD", decisions: [] },
      },
    ])
    expect(await eventsOf(young)).toHaveLength(4)
    expect(await oracle()).toEqual([])
    await retain({ database: ledger.database, logger }, nothing)
    expect(await eventsOf(old)).toHaveLength(1)
  })

  it("[I8] lets late money follow from the snapshot as a new event", async () => {
    const id = await ended(LIMITS.eventsKeptForMs + DAY)
    await retain({ database: ledger.database, logger }, nothing)
    const operation = await found(id)
    await advanced(ledger.database, operation, {
      event: "complete",
      code: "paid_after_end",
      next: "never",
    })
    expect((await eventsOf(id)).map(({ name }) => name)).toEqual(["snapshot", "complete"])
    expect(await oracle()).toEqual([])
  })

  it("keeps what admins decided about money", async () => {
    const id = await ended(0)
    const operation = await found(id)
    const late = await advanced(ledger.database, operation, {
      event: "complete",
      code: "paid_after_end",
    })
    await advanced(ledger.database, late, {
      event: "dismiss",
      code: "note",
      facts: { by: "user_1", note: "paid back by hand" },
    })
    await ledger.sql(
      "update mp_operation set updated_at = now() - interval '3 years', next_check_at = null",
    )
    await markEmitted()
    await retain({ database: ledger.database, logger }, nothing)
    expect(await eventsOf(id)).toMatchObject([
      {
        name: "snapshot",
        facts: {
          decisions: [
            { name: "dismiss", code: "note", facts: { by: "user_1", note: "paid back by hand" } },
          ],
        },
      },
    ])
  })

  it("keeps all events of a payment that is watched or waits for an admin", async () => {
    const watched = await ended(LIMITS.eventsKeptForMs + DAY)
    await ledger.sql(
      "update mp_operation set next_check_at = now() + interval '1 h' where id = $1",
      [watched],
    )
    const waiting = await ended(0)
    const operation = await found(waiting)
    await advanced(ledger.database, operation, {
      event: "complete",
      code: "paid_after_end",
      next: "never",
    })
    await ledger.sql("update mp_operation set updated_at = now() - interval '3 years'")
    await retain({ database: ledger.database, logger }, nothing)
    expect(await eventsOf(watched)).toHaveLength(4)
    expect(await eventsOf(waiting)).toHaveLength(5)
  })

  it("deletes guests' parties after a time, and keeps customers'", async () => {
    for (const [id, customer, days] of [
      ["old guest", null, 91],
      ["young guest", null, 89],
      ["customer", "cus_1", 900],
    ] as const) {
      await ledger.sql(
        `insert into mp_party (id, account_id, customer_id, cart_id, party_id, updated_at)
         values ($1, 'mpacc_env', $2, $3, 1, now() - $4 * interval '1 day')`,
        [id, customer, customer ? null : id, days],
      )
    }
    await retain({ database: ledger.database, logger }, nothing)
    const left = await ledger.sql("select id from mp_party order by id")
    expect(left.map(({ id }) => id)).toEqual(["customer", "young guest"])
  })
})

it("pages of operations have each one once, even those of one moment", async () => {
  const made = []
  for (let n = 0; n < 7; n++) made.push((await submitted(ledger.database)).id)
  await ledger.sql(
    "update mp_operation set created_at = '2026-11-01T10:00:00.000123Z' where id = any($1)",
    [made.slice(0, 4)],
  )
  const period = { from: new Date("2026-11-01T10:00:00Z"), until: new Date("2027-01-01T00:00:00Z") }
  for (const pages of [
    findInState(ledger.database, "submitted", undefined, 2),
    findOfPeriod(ledger.database, "mpacc_env", period, undefined, 2),
  ]) {
    const found: string[] = []
    for await (const page of pages) found.push(...page.map(({ id }) => id))
    expect(found.sort()).toEqual([...made].sort())
  }
  await ledger.sql("truncate mp_operation cascade")
})
