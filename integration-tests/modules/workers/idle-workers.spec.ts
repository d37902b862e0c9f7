/**
 * What a worker asks the database while nobody pays, and that it notices whatever becomes due. The
 * jobs run as Medusa's schedule and the process's clock run them, over a minute that passes at once.
 */
import { LIMITS } from "../../../src/core/limits"
import { systemClock } from "../../../src/core/ports"
import { checkJob } from "../../../src/medusa/passes/check"
import { notificationsJob } from "../../../src/medusa/passes/notifications"
import { ownClock } from "../../../src/medusa/passes/own-clock"
import { receiptsJob } from "../../../src/medusa/passes/receipts"
import { readWhatIsDue } from "../../../src/medusa/passes/sql/what-is-due"
import { upkeepJob } from "../../../src/medusa/passes/upkeep"
import { flowsFrom } from "../../../src/medusa/wiring/flows-from"
import { beat } from "../../../src/worker/beat"
import { MINUTE, SECOND } from "../../support/an-operation"
import { startLedgerDatabase, submitted, type LedgerDatabase } from "../../support/ledger-database"
import { until } from "../../support/until"
import { workerContainer } from "../../support/worker-container"

const JOBS = [checkJob, notificationsJob, receiptsJob, upkeepJob]
/** In a quiet minute, by the plugin alone. */
const STATEMENTS_MAX = 70

let ledger: LedgerDatabase

beforeAll(async () => {
  ledger = await startLedgerDatabase()
})

afterAll(() => ledger.stop())

describe("a worker in a shop where nobody pays", () => {
  it(`asks the database at most ${STATEMENTS_MAX} times a minute, and never the gateway`, async () => {
    const scene = await startWorker()
    try {
      // The first minute after the start asks about the tables and does the day's tasks.
      await scene.minute()
      await scene.rest()
      scene.statements.length = 0
      const calls = scene.calls()
      await scene.minute()
      await scene.rest()
      expect(scene.statements.length).toBeGreaterThan(20)
      // If there are too many, the failure names them.
      const isWell = scene.statements.length <= STATEMENTS_MAX
      expect(isWell ? {} : counted(scene.statements)).toEqual({})
      expect(scene.calls()).toBe(calls)
    } finally {
      await scene.stop()
    }
  })
})

/** Each statement's beginning, with how often it was sent. */
function counted(statements: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const text of statements) {
    const head = text.replace(/\s+/g, " ").trim().slice(0, 60)
    counts[head] = (counts[head] ?? 0) + 1
  }
  return counts
}

/** A worker's jobs and its clock, driven by the test. */
async function startWorker() {
  const statements: string[] = []
  let calls = 0
  const refuse = (socket: { destroy(): void }) => {
    calls += 1
    socket.destroy()
  }
  const { account, container, stop } = await workerContainer(ledger, refuse, (text) =>
    statements.push(text),
  )
  await ledger.sql("update mp_account_event set announced_at = now()")
  // The gateway was asked today.
  await ledger.sql(
    `insert into mp_gateway_minute (minute, account_id, calls)
     values (date_trunc('minute', now() - interval '5 hours'), $1, 1)`,
    [account.id],
  )
  // Sweep, comparison and clean-up were done, and none is due for a while.
  for (const name of ["sweep", "reconcile", "retain"]) {
    await ledger.sql("insert into mp_task (name, due_at) values ($1, now() + interval '1 hour')", [
      name,
    ])
  }
  const real = performance.now.bind(performance)
  let aheadMs = 0
  const time = jest.spyOn(performance, "now").mockImplementation(() => real() + aheadMs)
  const timers: { everyMs: number; work: () => void }[] = []
  const running = new Set<Promise<void>>()
  const follow = (one: Promise<void>) => {
    running.add(one)
    return one.finally(() => running.delete(one))
  }
  const end = ownClock({
    clock: systemClock,
    logger: { warn: () => {}, info: () => {} },
    jobs: JOBS.map((job) => ({ ...job, run: () => follow(job.run(container)) })),
    beat: () => follow(beat(flowsFrom(container))),
    every(everyMs, tick) {
      timers.push({ everyMs, work: tick })
      return () => undefined
    },
  })
  return {
    statements,
    calls: () => calls,
    rest: () => until(async () => running.size === 0, "what was begun has ended"),
    async minute() {
      for (let at = LIMITS.ownTickMs; at <= MINUTE; at += LIMITS.ownTickMs) {
        aheadMs += LIMITS.ownTickMs
        // Medusa's schedule.
        if (at % LIMITS.turnEveryMs === 0) for (const job of JOBS) job.takeTurn()
        for (const timer of timers) if (at % timer.everyMs === 0) timer.work()
        await Promise.all(running)
      }
    },
    async stop() {
      await end()
      time.mockRestore()
      await stop()
    },
  }
}

describe("the work that the jobs ask for together", () => {
  const due = () => readWhatIsDue(ledger.database)

  beforeEach(async () => {
    await ledger.sql("update mp_operation set next_check_at = null, receipt_due_at = null")
    await ledger.sql("update mp_operation_event set announced_at = now(), notified_at = now()")
    await ledger.sql("update mp_account_event set announced_at = now()")
    await ledger.sql("delete from mp_notification")
  })

  it("is none in an idle shop", async () => {
    expect(await due()).toEqual({
      checkInMs: null,
      hasAnnouncements: false,
      hasNotifications: false,
      hasReceipts: false,
    })
  })

  it.each([
    ["a question", "submitted", false],
    ["a question of a shopper who waits", "in_flight", true],
    ["a payment that failed and is watched", "failed", false],
    ["a payment that Medusa has to record", "completed", false],
    ["money in review", "review", true],
  ])("includes the next check: %s", async (_what, state, isWaiting) => {
    const { id } = await submitted(ledger.database)
    const comes = (inMs: number) =>
      ledger.sql(
        `update mp_operation set state = $2, waiting = $3,
                next_check_at = now() + $4 * interval '1 ms' where id = $1`,
        [id, state, isWaiting, inMs],
      )
    await comes(MINUTE)
    const { checkInMs } = await due()
    expect(checkInMs).toBeGreaterThan(MINUTE - 10 * SECOND)
    expect(checkInMs).toBeLessThanOrEqual(MINUTE)
    await comes(-SECOND)
    expect((await due()).checkInMs).toBeLessThanOrEqual(0)
  })

  it("includes news of payments and accounts, notifications, summaries and receipts", async () => {
    const { id } = await submitted(ledger.database)
    await ledger.sql("update mp_operation set next_check_at = null where id = $1", [id])
    await ledger.sql(
      `insert into mp_operation_event (operation_id, seq, name, state, code)
       values ($1, 99, 'complete', 'completed', 'paid')`,
      [id],
    )
    expect(await due()).toMatchObject({ hasAnnouncements: true, hasNotifications: true })
    await ledger.sql("update mp_operation_event set announced_at = now(), notified_at = now()")
    expect(await due()).toMatchObject({ hasAnnouncements: false, hasNotifications: false })
    await ledger.sql(
      `insert into mp_account_event (id, account_id, name, done_by)
       values ('mpaev_1', 'mpacc_env', 'changed', 'ada')`,
    )
    expect(await due()).toMatchObject({ hasAnnouncements: true })
    for (const state of ["waiting", "collected"]) {
      await ledger.sql("delete from mp_notification")
      expect(await due()).toMatchObject({ hasNotifications: false })
      await ledger.sql(
        `insert into mp_notification (key, kind, audience, recipient_id, channel, event_id, state)
         values ('k', 'job_stopped', 'merchant', 'r', 'email', 'e', $1)`,
        [state],
      )
      expect(await due()).toMatchObject({ hasNotifications: true })
    }
    await ledger.sql(
      `update mp_operation set state = 'completed', recorded_at = now(), source_id = 1,
              receipt_due_at = now() where id = $1`,
      [id],
    )
    expect(await due()).toMatchObject({ hasReceipts: true, checkInMs: null })
  })
})
