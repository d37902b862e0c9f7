/** How often all workers together ask an account's gateway, and what a pause does to due checks. */
import { LIMITS } from "../../../src/core/limits"
import { databaseFault } from "../../../src/ledger/database-error"
import type { Operation } from "../../../src/core/operation"
import { grantChecks, pauseChecks, spendChecks } from "../../../src/ledger/limits/check-budget"
import { MINUTE, SECOND } from "../../support/an-operation"
import { claimAll } from "../../support/claim-all"
import { startLedgerDatabase, submitted, type LedgerDatabase } from "../../support/ledger-database"
import { until } from "../../support/until"

const ACCOUNT = "mpacc_env"
const OTHER = "mpacc_other"

let ledger: LedgerDatabase

beforeAll(async () => {
  ledger = await startLedgerDatabase()
  await ledger.sql(
    `insert into mp_account (id, label, base_url) values ($1, 'Other', 'https://other.example')`,
    [OTHER],
  )
})

afterAll(() => ledger.stop())

/** Both accounts with a bound and a full second's worth; nothing is due. */
async function budget(perSecond: number): Promise<void> {
  await ledger.sql("update mp_operation set next_check_at = null, lease_until = null")
  await budgetAlone(perSecond)
}

/** As `budget`, and what is due stays due. */
async function budgetAlone(perSecond: number): Promise<void> {
  await ledger.sql(
    `update mp_account
        set checks_left = $1::int, checks_per_second_max = $1::int, checks_counted_at = now(),
            checks_paused_until = null`,
    [perSecond],
  )
}

async function due(count: number, accountId = ACCOUNT): Promise<string[]> {
  const made = await Promise.all(
    Array.from({ length: count }, () => submitted(ledger.database, { accountId })),
  )
  for (const [index, { id }] of made.entries()) {
    await ledger.sql(
      "update mp_operation set next_check_at = now() - $2 * interval '1 s' where id = $1",
      [id, count - index],
    )
  }
  return made.map(({ id }) => id)
}

/** An hour longer than whatever else is due. */
async function longDue(count: number): Promise<string[]> {
  const rows = await due(count)
  await ledger.sql(
    "update mp_operation set next_check_at = next_check_at - interval '1 h' where id = any($1)",
    [rows],
  )
  return rows
}

const claim = (limit = 50): Promise<Operation[]> => claimAll(ledger.database, limit)

const ids = (operations: readonly Operation[]) => operations.map(({ id }) => id)

/** Lets time pass for the accounts and for what is due, by the only clock that they know. */
async function pass(ms: number): Promise<void> {
  await ledger.sql(
    `update mp_account
        set checks_counted_at = checks_counted_at - $1 * interval '1 ms',
            checks_paused_until = checks_paused_until - $1 * interval '1 ms'`,
    [ms],
  )
  await ledger.sql("update mp_operation set next_check_at = next_check_at - $1 * interval '1 ms'", [
    ms,
  ])
}

/** What the budget may have earned in the real time that a slow machine took. */
const earnedSince = (since: number, perSecond: number) =>
  Math.ceil((perSecond * (performance.now() - since)) / SECOND)

describe("the budget of an account", () => {
  it("is shared: two workers together get what one would, and no row twice", async () => {
    await budget(5)
    await due(120)
    const since = performance.now()
    const taken: string[] = []
    for (let second = 0; second < 10; second++) {
      const [one, two] = await Promise.all([claim(), claim()])
      taken.push(...ids(one), ...ids(two))
      await pass(SECOND)
    }
    const seconds = 10 + (performance.now() - since) / 1_000
    expect(new Set(taken).size).toBe(taken.length)
    expect(taken.length).toBeLessThanOrEqual(5 + 5 * seconds)
    expect(taken.length).toBeGreaterThanOrEqual(45)
  })

  it("grants no more than a second's worth at once, however long nothing was asked", async () => {
    await budget(5)
    await pass(60 * MINUTE)
    await due(30)
    const since = performance.now()
    const all = await Promise.all([claim(), claim(), claim(), claim()])
    expect(all.flat().length).toBeGreaterThanOrEqual(5)
    expect(all.flat().length).toBeLessThanOrEqual(5 + earnedSince(since, 5))
  })

  it("has the default bound for an account without a setting", async () => {
    const [column] = await ledger.sql(
      `insert into mp_account (id, label, base_url) values ('mpacc_new', 'New', 'https://new.example')
       returning checks_left, checks_per_second_max`,
    )
    expect(column).toEqual({
      checks_left: LIMITS.checksPerSecondMax,
      checks_per_second_max: LIMITS.checksPerSecondMax,
    })
    await ledger.sql("delete from mp_account where id = 'mpacc_new'")
  })

  it("follows a lower bound at once", async () => {
    await budget(20)
    await ledger.sql("update mp_account set checks_per_second_max = 3")
    await due(30)
    expect(await claim()).toHaveLength(3)
  })

  it("gets back a grant whose rows another worker took", async () => {
    await budget(20)
    await due(10)
    const grants = await Promise.all([1, 2, 3].map(() => grantChecks(ledger.database, 50)))
    expect(grants.flat().map(({ questions }) => questions)).toEqual([10, 10])
    await budget(20)
    await due(10)
    const all = await Promise.all([claim(), claim(), claim()])
    expect(all.flat()).toHaveLength(10)
    await due(10)
    expect(await claim()).toHaveLength(10)
  })

  it("serves a waiting shopper before checks that are due longer", async () => {
    await budget(1)
    const rows = await due(20)
    const last = rows.at(-1)
    await ledger.sql("update mp_operation set waiting = true where id = $1", [last])
    const random = { fraction: () => 0 }
    expect(ids(await claimAll(ledger.database, 50, random))).toEqual([last])
    await pass(SECOND)
    expect(ids(await claimAll(ledger.database, 50, random))).toEqual([rows[0]])
  })

  it.each([1, 2, 5, 20])(
    "of %i a second spends a fifth by age, however many shoppers wait",
    async (perSecond) => {
      await budget(perSecond)
      const old = await longDue(3)
      const shoppers = await due(30)
      await ledger.sql("update mp_operation set waiting = true where id = any($1)", [shoppers])
      const taken: string[] = []
      const rounds = Math.ceil((3 * 5) / perSecond)
      for (let second = 0; second < rounds; second++) {
        // Draws that are spread evenly, as those of many claims are.
        const random = { fraction: () => (4 - (second % 5)) / 5 }
        const now = await claimAll(ledger.database, 50, random)
        taken.push(...ids(now))
        // Those with a waiting shopper come first among those that are taken.
        const waits = now.map(({ waiting }) => waiting)
        expect(waits).toEqual([...waits].sort((a, b) => Number(b) - Number(a)))
        await pass(SECOND)
      }
      expect(taken.filter((id) => old.includes(id))).toEqual(old)
      const share = taken.filter((id) => shoppers.includes(id)).length / taken.length
      expect(share).toBeGreaterThanOrEqual(0.75)
    },
  )

  it("spends a fifth of a claim by age even where the bound is high", async () => {
    await budget(1_000)
    const old = await longDue(15)
    const shoppers = await due(60)
    await ledger.sql("update mp_operation set waiting = true where id = any($1)", [shoppers])
    const taken = ids(await claimAll(ledger.database, 50, { fraction: () => 0 }))
    expect(taken.slice(0, 40)).toEqual(shoppers.slice(0, 40))
    expect(taken.slice(40)).toEqual(old.slice(0, 10))
  })

  it("is not used up by another account, whatever is due there", async () => {
    await budget(2)
    const many = await due(60)
    const [one] = await due(1, OTHER)
    const taken = ids(await claim(10))
    expect(taken).toHaveLength(3)
    expect(taken).toContain(one)
    expect(taken).toEqual(expect.arrayContaining(many.slice(0, 2)))
  })

  it("is not spent on payments that only Medusa has to record", async () => {
    await budget(1)
    const paid = await due(3)
    await ledger.sql("update mp_operation set state = 'completed' where id = any($1)", [paid])
    await due(5)
    expect(await claim()).toHaveLength(4)
  })

  it("pays afterwards for calls beyond a claim, and gets back calls that were not made", async () => {
    await budget(5)
    await due(60)
    await budgetAlone(5)
    const since = performance.now()
    expect(await claim()).toHaveLength(5)
    await spendChecks(ledger.database, ACCOUNT, 5)
    await pass(SECOND)
    expect((await claim()).length).toBeLessThanOrEqual(earnedSince(since, 5))
    await budget(5)
    await due(60)
    expect(await claim()).toHaveLength(5)
    await spendChecks(ledger.database, ACCOUNT, -4)
    expect((await claim()).length).toBeGreaterThanOrEqual(4)
  })

  it("[P20] is counted by the database's clock, and never backwards", async () => {
    await budget(5)
    await due(30)
    // As when another worker's claim committed while this one's statement had begun already.
    await ledger.sql("update mp_account set checks_counted_at = now() + interval '1 hour'")
    expect(await claim()).toHaveLength(5)
    expect(await claim()).toHaveLength(0)
    const [row] = await ledger.sql("select checks_counted_at > now() as ahead from mp_account")
    expect(row).toEqual({ ahead: true })
  })

  it("costs an idle shop nothing: nothing is written or locked while nothing is due", async () => {
    await budget(5)
    const versions = () =>
      ledger.sql(
        `select id, ctid::text, xmin::text, xmax::text from mp_account
         union all select id, ctid::text, xmin::text, xmax::text from mp_operation
         order by 1`,
      )
    const before = await versions()
    for (let tick = 0; tick < 5; tick++) expect(await claim()).toEqual([])
    expect(await versions()).toEqual(before)
  })
})

describe("[N21] a gateway that asks for a pause", () => {
  const tooMany = (forMs: number) => pauseChecks(ledger.database, ACCOUNT, forMs)

  it("has its pause written to the account's row, and to none of a thousand due rows", async () => {
    await budget(20)
    const [one] = await due(1)
    await ledger.sql(
      `insert into mp_operation
       select (jsonb_populate_record(o, jsonb_build_object(
                'id', 'thousand_' || n, 'payment_collection_id', 'thousand_' || n,
                'payment_session_id', 'thousand_' || n, 'reference', gen_random_uuid(),
                'draft_reference', gen_random_uuid(), 'waiting', n % 100 = 0,
                'next_check_at', now() - n % 77 * interval '1 s'))).*
         from mp_operation o, generate_series(1, 1000) n where o.id = $1`,
      [one],
    )
    const rows = () => ledger.sql("select id, ctid::text, xmin::text from mp_operation order by id")
    const before = await rows()
    await tooMany(50 * SECOND)
    expect(await rows()).toEqual(before)
    expect(await claim()).toEqual([])
    await pass(20 * SECOND)
    expect(await claim()).toEqual([])
    await pass(32 * SECOND)
    // What is claimed first is the shoppers'.
    const waits = (await claim()).map(({ waiting }) => waiting)
    expect(waits.slice(0, 10)).toEqual(Array(10).fill(true))
    await ledger.sql("delete from mp_operation where id like 'thousand%'")
  })

  it("is asked again at the account's bound after the pause", async () => {
    await budget(20)
    await due(60)
    await tooMany(7 * SECOND)
    await pass(9 * SECOND)
    expect(await claim()).toHaveLength(20)
  })

  it("is not asked by any worker until then, and afterwards about all that was due, in order", async () => {
    await budget(20)
    const rows = await due(30)
    await ledger.sql("update mp_operation set waiting = true where id = $1", [rows[20]])
    await tooMany(50 * SECOND)
    await due(5)
    for (const workers of [1, 2]) {
      const all = await Promise.all(Array.from({ length: workers }, () => claim()))
      expect(all.flat()).toEqual([])
      await pass(20 * SECOND)
    }
    await pass(12 * SECOND)
    const taken: string[] = []
    for (let second = 0; second < 6; second++) {
      taken.push(...ids(await claim()))
      await pass(SECOND)
    }
    expect(taken[0]).toBe(rows[20])
    const first = taken.filter((id) => rows.includes(id))
    expect(first.slice(1)).toEqual(rows.filter((id) => id !== rows[20]))
    expect(taken).toHaveLength(35)
  })

  it("delays neither another account nor a paid order", async () => {
    await budget(20)
    const [paid] = await due(1)
    await ledger.sql("update mp_operation set state = 'completed' where id = $1", [paid])
    await due(60)
    const [other] = await due(1, OTHER)
    await tooMany(MINUTE)
    expect(ids(await claim(10)).sort()).toEqual([paid, other].sort())
  })

  it("keeps its longer pause when it asks for a shorter one afterwards", async () => {
    await budget(20)
    await tooMany(30 * SECOND)
    await tooMany(SECOND)
    await due(3)
    await pass(2 * SECOND)
    await spendChecks(ledger.database, ACCOUNT, -5)
    expect(await claim()).toEqual([])
  })

  it("is not asked even where budget is left, and gently once the pause is over", async () => {
    await budget(20)
    const since = performance.now()
    await tooMany(7 * SECOND)
    await due(30)
    await spendChecks(ledger.database, ACCOUNT, -5)
    expect(await claim()).toEqual([])
    await spendChecks(ledger.database, ACCOUNT, 5)
    await pass(7 * SECOND)
    // Not made up for in one burst: 20 a second, from nothing.
    const { length } = await claim()
    expect(length).toBeLessThanOrEqual(1 + (20 * (performance.now() - since)) / SECOND)
  })
})

it("[P16] a grant whose connection is ended in the middle takes nothing and spends nothing", async () => {
  await budget(20)
  const rows = await due(8)
  // Holds the account's row, so that the grant stands still.
  const blocker = ledger
    .sql(
      `select pg_sleep(60) from (select from mp_account where id = $1 for no key update offset 0) o`,
      [ACCOUNT],
    )
    .catch((error: unknown) => error)
  const pidOf = async (text: string, waitsFor: string) => {
    const [found] = await ledger.sql(
      `select pid from pg_stat_activity where datname = current_database()
          and query like $1 and pid <> pg_backend_pid() and wait_event_type = $2`,
      [text, waitsFor],
    )
    return found?.["pid"]
  }
  const blockerPid = await until(() => pidOf("select pg_sleep(60)%", "Timeout"), "the row is held")
  const cut = claim().catch((error: unknown) => error)
  const claimPid = await until(
    () => pidOf("%with due as materialized%", "Lock"),
    "the grant waits for it",
  )
  await ledger.sql("select pg_terminate_backend($1)", [claimPid])
  const error = await cut
  expect(error).toMatchObject({ code: "57P01" })
  expect(databaseFault(error)).toBe("in_doubt")
  await ledger.sql("select pg_cancel_backend($1)", [blockerPid])
  await blocker
  const [held] = await ledger.sql(
    "select count(*)::int as n from mp_operation where lease_until > now()",
  )
  expect(held).toEqual({ n: 0 })
  const [account] = await ledger.sql("select checks_left from mp_account where id = $1", [ACCOUNT])
  expect(account).toEqual({ checks_left: 20 })
  expect(ids(await claim())).toEqual(rows)
})
