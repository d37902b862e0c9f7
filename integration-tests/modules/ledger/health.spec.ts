/** What admins and monitors read about the checks: which workers ran, when, and what waits. */
import { processAlarm } from "../../../src/accounts/read-health"
import { readUntold } from "../../../src/accounts/sql/untold"
import type { MedusaSetupPort } from "../../../src/accounts/deps"
import { readCheckHealth } from "../../../src/ledger/read-check-health"
import { endWorker, giveSignOfLife } from "../../../src/ledger/sign-of-life"
import { LIMITS } from "../../../src/core/limits"
import { HOUR, MINUTE, SECOND } from "../../support/an-operation"
import { startLedgerDatabase, submitted, type LedgerDatabase } from "../../support/ledger-database"

let ledger: LedgerDatabase

beforeAll(async () => {
  ledger = await startLedgerDatabase()
})

afterAll(() => ledger.stop())

beforeEach(async () => {
  await ledger.sql("update mp_operation set next_check_at = null")
  await ledger.sql("delete from mp_worker")
})

const health = () => readCheckHealth(ledger.database)

const passOf = (worker: string, unanswered: string[] = []) =>
  giveSignOfLife(ledger.database, worker, { unanswered, passedMsAgo: 0 })

/** As if a worker had come by so long ago. */
const age = (worker: string, ms: number) =>
  ledger.sql(
    `update mp_worker set seen_at = now() - $2 * interval '1 ms',
                          passed_at = now() - $2 * interval '1 ms' where id = $1`,
    [worker, ms],
  )

/** As if a worker were there for so long. */
const began = (worker: string, msAgo: number) =>
  ledger.sql("update mp_worker set began_at = now() - $2 * interval '1 ms' where id = $1", [
    worker,
    msAgo,
  ])

async function dueFor(ms: number, state = "submitted", isWaiting = false): Promise<string> {
  const { id } = await submitted(ledger.database)
  await ledger.sql(
    `update mp_operation
        set state = $3, waiting = $4, next_check_at = now() - $2 * interval '1 ms' where id = $1`,
    [id, ms, state, isWaiting],
  )
  return id
}

describe("a worker's heartbeat", () => {
  it("shows when a pass last ran, and which workers are alive", async () => {
    expect(await health()).toMatchObject({ lastPassMsAgo: null, workers: [] })
    await passOf("one")
    await passOf("two")
    await age("one", 5 * SECOND)
    const seen = await health()
    expect(seen.workers).toEqual(["two", "one"])
    expect(seen.lastPassMsAgo).toBeLessThan(MINUTE)
  })

  it("is apart from the pass that claims due payments", async () => {
    const beat = (passedMsAgo: number | null) =>
      giveSignOfLife(ledger.database, "one", { unanswered: [], passedMsAgo })
    await beat(null)
    expect(await health()).toMatchObject({ workers: ["one"], lastPassMsAgo: null })
    await beat(MINUTE)
    const stuck = await health()
    expect(stuck.workers).toEqual(["one"])
    expect(stuck.lastPassMsAgo).toBeGreaterThanOrEqual(MINUTE)
    expect(stuck.lastPassMsAgo).toBeLessThan(HOUR)
  })

  it("of the previous version is given by its passes", async () => {
    await ledger.sql("insert into mp_worker (id, seen_at) values ('old', now())")
    const seen = await health()
    expect(seen.workers).toEqual(["old"])
    expect(seen.lastPassMsAgo).toBeLessThan(MINUTE)
  })

  it("of a worker that is gone still shows the last pass, and is deleted after a day", async () => {
    await passOf("gone")
    await age("gone", LIMITS.workerGoneAfterMs + SECOND)
    const seen = await health()
    expect(seen.workers).toEqual([])
    expect(seen.lastPassMsAgo).toBeGreaterThan(LIMITS.workerGoneAfterMs)
    await age("gone", LIMITS.workerForgottenMs + SECOND)
    await passOf("new")
    expect(await ledger.sql("select id from mp_worker")).toEqual([{ id: "new" }])
  })

  it("shows a worker again that slept for days", async () => {
    await passOf("sleeper")
    await age("sleeper", LIMITS.workerForgottenMs * 3)
    await passOf("sleeper")
    expect((await health()).workers).toEqual(["sleeper"])
  })

  it("[M07] shows how long two workers have run side by side, and nothing for a restart", async () => {
    await passOf("one")
    expect((await health()).togetherMs).toBeNull()
    await began("one", 10 * MINUTE)
    await passOf("two")
    const together = async () => (await health()).togetherMs ?? -1
    // A deploy: the one before may have a minute to live, and is seen for half a minute more.
    expect(await together()).toBeLessThan(LIMITS.workersTogetherMs)
    await began("two", LIMITS.workersTogetherMs + SECOND)
    await age("one", LIMITS.workerGoneAfterMs - 5 * SECOND)
    expect(await together()).toBeLessThan(LIMITS.workersTogetherMs)
    await age("one", 0)
    expect(await together()).toBeGreaterThanOrEqual(LIMITS.workersTogetherMs)
    await age("one", LIMITS.workerGoneAfterMs + SECOND)
    expect((await health()).togetherMs).toBeNull()
  })

  it("[M07] of a worker that ended in order is gone at once", async () => {
    await passOf("one")
    await passOf("two")
    await endWorker(ledger.database, "one")
    expect((await health()).workers).toEqual(["two"])
  })

  it("[M07] of several processes with in-memory locks is logged as an error, once until it is over", async () => {
    const logged: string[] = []
    const log = (message: string) => void logged.push(message)
    const logger = { debug: log, info: log, warn: log, error: log }
    const alarmed = async (locking: string, alarm = processAlarm()) => {
      const setup = { locking } as MedusaSetupPort
      await alarm({ database: ledger.database, logger, setup })
      await alarm({ database: ledger.database, logger, setup })
      return logged.splice(0)
    }
    await passOf("one")
    await passOf("two")
    expect(await alarmed("in-memory")).toEqual([])
    await began("one", HOUR)
    await began("two", HOUR)
    expect(await alarmed("in-memory")).toEqual([expect.stringContaining("Configure Medusa's")])
    expect(await alarmed("postgres")).toEqual([])
  })

  it("[M05] names the operations for which its worker waits for Medusa, until the worker is gone", async () => {
    await passOf("one", ["mpop_a", "mpop_b"])
    await passOf("two", ["mpop_c"])
    expect((await health()).unanswered).toEqual(["mpop_a", "mpop_b", "mpop_c"])
    await age("two", LIMITS.workerGoneAfterMs + SECOND)
    await age("one", LIMITS.heartbeatEveryMs + SECOND)
    await passOf("one", ["mpop_b"])
    expect((await health()).unanswered).toEqual(["mpop_b"])
  })
})

describe("the oldest due operation", () => {
  const about = (ms: number) => [ms, ms + MINUTE] as const
  async function oldest(): Promise<number> {
    return (await health()).oldestDueMs ?? -1
  }

  it("is none while nothing is due yet", async () => {
    await dueFor(-MINUTE)
    expect(await health()).toMatchObject({ oldestDueMs: null })
  })

  it.each([
    ["a check", "submitted", false],
    ["a check for a waiting shopper", "in_flight", true],
    ["a paid order", "completed", false],
    ["a payment that failed and is watched", "failed", false],
  ])("is shown by its age for %s", async (_what, state, isWaiting) => {
    await dueFor(2 * SECOND, "submitted", !isWaiting)
    await dueFor(90 * SECOND, state, isWaiting)
    const [least, most] = about(90 * SECOND)
    expect(await oldest()).toBeGreaterThanOrEqual(least)
    expect(await oldest()).toBeLessThan(most)
  })

  it("has not waited while its account was paused", async () => {
    await dueFor(90 * SECOND)
    const pausedUntil = (seconds: number) =>
      ledger.sql("update mp_account set checks_paused_until = now() + $1 * interval '1 s'", [
        seconds,
      ])
    await pausedUntil(30)
    expect(await health()).toMatchObject({ oldestDueMs: null })
    await pausedUntil(-20)
    const [least, most] = about(20 * SECOND)
    expect(await oldest()).toBeGreaterThanOrEqual(least)
    expect(await oldest()).toBeLessThan(most)
    await ledger.sql("update mp_account set checks_paused_until = null")
  })
})

it("the health counts the notifications of the last day that were not sent", async () => {
  const row = (key: string, state: string, problem: string | null, hoursAgo = 1) =>
    ledger.sql(
      `insert into mp_notification
         (key, kind, audience, recipient_id, channel, event_id, state, problem, ended_at)
       values ($1, 'payout_done', 'merchant', 'person', 'sms', $1, $2, $3,
         case when $2 <> 'waiting' then now() - $4 * interval '1 hour' end)`,
      [key, state, problem, hoursAgo],
    )
  expect(await readUntold(ledger.database)).toEqual({ triedAgain: 0, givenUp: 0 })
  await row("not tried yet", "waiting", null)
  await row("sent", "sent", null)
  await row("tried and sent", "sent", "the provider was away")
  await row("long ago", "failed", "the provider was away", 25)
  expect(await readUntold(ledger.database)).toEqual({ triedAgain: 0, givenUp: 0 })
  await row("tried again", "waiting", "the provider was away")
  await row("failed", "failed", "the provider was away")
  await row("not known", "unknown", "no_answer")
  expect(await readUntold(ledger.database)).toEqual({ triedAgain: 1, givenUp: 2 })
})
