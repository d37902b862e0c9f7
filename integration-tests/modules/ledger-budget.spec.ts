/** How often an account is asked by all workers together, and what a pause does to what is due. */
import { LIMITS } from "../../src/core/limits"
import type { Operation } from "../../src/core/operation"
import { pauseChecks, spendChecks } from "../../src/ledger/check-budget"
import { claimDueOperations } from "../../src/ledger/claim-due-operations"
import { databaseFault } from "../../src/ledger/database-error"
import { MINUTE, SECOND } from "../support/an-operation"
import { startLedgerDatabase, submitted, type LedgerDatabase } from "../support/ledger-database"
import { until } from "../support/until"

const LEASE_MS = 120 * SECOND
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

/** Both accounts at a rate and with a full second's worth; nothing is due. */
async function budget(perSecond: number, atMost = 20): Promise<void> {
  await ledger.sql("update mp_operation set next_check_at = null, lease_until = null")
  await ledger.sql(
    `update mp_account
        set checks_per_second = $1, checks_left = $1, checks_per_second_max = $2,
            checks_reserved = 0, checks_counted_at = now(), checks_paused_until = null,
            checks_slowed_at = null`,
    [perSecond, atMost],
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

const claim = (limit = 50): Promise<Operation[]> =>
  claimDueOperations(ledger.database, { leaseMs: LEASE_MS, limit })

const ids = (operations: readonly Operation[]) => operations.map(({ id }) => id)

/** Lets time pass for the accounts and for what is due, by the only clock that they know. */
async function pass(ms: number): Promise<void> {
  await ledger.sql(
    `update mp_account
        set checks_counted_at = checks_counted_at - $1 * interval '1 ms',
            checks_paused_until = checks_paused_until - $1 * interval '1 ms',
            checks_slowed_at = checks_slowed_at - $1 * interval '1 ms'`,
    [ms],
  )
  await ledger.sql("update mp_operation set next_check_at = next_check_at - $1 * interval '1 ms'", [
    ms,
  ])
}

async function account(): Promise<{ rate: number; left: number }> {
  const [row] = await ledger.sql("select * from mp_account where id = $1", [ACCOUNT])
  return { rate: Number(row?.["checks_per_second"]), left: Number(row?.["checks_left"]) }
}

describe("the budget of an account", () => {
  it("is one for all workers: two get together what one would, and no row twice", async () => {
    await budget(5, 5)
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

  it("lets no more than a second's worth go at once, however long nothing was asked", async () => {
    await budget(5, 5)
    await pass(60 * MINUTE)
    await due(30)
    const all = await Promise.all([claim(), claim(), claim(), claim()])
    expect(all.flat()).toHaveLength(5)
  })

  it("begins with 5 a second, and ends with 20, for an account that says nothing", async () => {
    const [column] = await ledger.sql(
      `insert into mp_account (id, label, base_url) values ('mpacc_new', 'New', 'https://new.example')
       returning checks_per_second, checks_per_second_max`,
    )
    expect(column).toEqual({
      checks_per_second: LIMITS.checksPerSecondFirst,
      checks_per_second_max: 20,
    })
    await ledger.sql("delete from mp_account where id = 'mpacc_new'")
  })

  it("is raised slowly while more is wanted, up to the account's bound and not above", async () => {
    await budget(5, 7)
    await due(120)
    for (let second = 0; second < 10; second++) {
      await claim()
      await pass(SECOND)
    }
    const raised = (await account()).rate
    expect(raised).toBeGreaterThan(5.7)
    expect(raised).toBeLessThan(6.3)
    for (let second = 0; second < 15; second++) {
      await ledger.sql("update mp_operation set lease_until = null")
      await claim()
      await pass(SECOND)
    }
    expect((await account()).rate).toBe(7)
  })

  it("is not raised by time alone, nor by a claim that got all it wanted", async () => {
    await budget(5)
    await due(4)
    await pass(60 * MINUTE)
    expect(await claim()).toHaveLength(4)
    expect((await account()).rate).toBe(5)
    await pass(60 * MINUTE)
    await due(30)
    expect(await claim()).toHaveLength(5)
    expect((await account()).rate).toBeLessThanOrEqual(5 + SECOND / LIMITS.checksRaiseEveryMs)
  })

  it("follows a bound that is set lower than what was learned", async () => {
    await budget(20, 20)
    await ledger.sql("update mp_account set checks_per_second_max = 3")
    await due(30)
    expect(await claim()).toHaveLength(3)
  })

  it("goes to the shopper who waits, before all that is due longer", async () => {
    await budget(1, 1)
    const rows = await due(20)
    const last = rows.at(-1)
    await ledger.sql("update mp_operation set waiting = true where id = $1", [last])
    expect(ids(await claim())).toEqual([last])
    await pass(SECOND)
    expect(ids(await claim())).toEqual([rows[0]])
  })

  it.each([1, 2, 5, 20])(
    "of %i a second goes by age to a fifth, however many shoppers wait on screen",
    async (perSecond) => {
      await budget(perSecond, perSecond)
      const old = await longDue(3)
      const shoppers = await due(30)
      await ledger.sql("update mp_operation set waiting = true where id = any($1)", [shoppers])
      const taken: string[] = []
      const rounds = Math.ceil((3 * 5) / perSecond)
      for (let second = 0; second < rounds; second++) {
        const now = await claim()
        taken.push(...ids(now))
        // Those with a shopper who waits come first among those that are taken, too.
        const waits = now.map(({ waiting }) => waiting)
        expect(waits).toEqual([...waits].sort((a, b) => Number(b) - Number(a)))
        await pass(SECOND)
      }
      expect(taken.filter((id) => old.includes(id))).toEqual(old)
      const share = taken.filter((id) => shoppers.includes(id)).length / taken.length
      expect(share).toBeGreaterThanOrEqual(0.75)
    },
  )

  it("goes by age to a fifth of what one claim may take, too, where the budget is lifted", async () => {
    await budget(1_000, 1_000)
    const old = await longDue(15)
    const shoppers = await due(60)
    await ledger.sql("update mp_operation set waiting = true where id = any($1)", [shoppers])
    const taken = ids(await claim(50))
    expect(taken.slice(0, 40)).toEqual(shoppers.slice(0, 40))
    expect(taken.slice(40)).toEqual(old.slice(0, 10))
  })

  it("of one account is not used up by another, whatever is due there", async () => {
    await budget(2, 2)
    const many = await due(60)
    const [one] = await due(1, OTHER)
    const taken = ids(await claim(10))
    expect(taken).toHaveLength(3)
    expect(taken).toContain(one)
    expect(taken).toEqual(expect.arrayContaining(many.slice(0, 2)))
  })

  it("is not spent on what only Medusa has to record", async () => {
    await budget(1, 1)
    const paid = await due(3)
    await ledger.sql("update mp_operation set state = 'completed' where id = any($1)", [paid])
    await due(5)
    expect(await claim()).toHaveLength(4)
  })

  it("is paid afterwards for what a check asked beyond its claim, and given back what was not asked", async () => {
    await budget(5, 5)
    await due(60)
    expect(await claim()).toHaveLength(5)
    await spendChecks(ledger.database, ACCOUNT, 5)
    await pass(SECOND)
    expect((await claim()).length).toBeLessThanOrEqual(3)
    await budget(5, 5)
    await due(60)
    expect(await claim()).toHaveLength(5)
    await spendChecks(ledger.database, ACCOUNT, -4)
    expect((await claim()).length).toBeGreaterThanOrEqual(4)
  })

  it("[P20] is counted by the database's clock, and never backwards", async () => {
    await budget(5, 5)
    await due(30)
    // As when another worker's claim committed while this one's statement had begun already.
    await ledger.sql("update mp_account set checks_counted_at = now() + interval '1 hour'")
    expect(await claim()).toHaveLength(5)
    expect(await claim()).toHaveLength(0)
    const [row] = await ledger.sql("select checks_counted_at > now() as ahead from mp_account")
    expect(row).toEqual({ ahead: true })
  })

  it("costs the idle shop nothing: with nothing due nothing is written, and nothing locked", async () => {
    await budget(5)
    const versions = () =>
      ledger.sql(
        `select id, ctid::text, xmin::text, xmax::text from mp_account
         union all select id, ctid::text, xmin::text, xmax::text from mp_operation
         union all select id, ctid::text, xmin::text, xmax::text from mp_worker order by 1`,
      )
    const asWorker = () =>
      claimDueOperations(ledger.database, { leaseMs: LEASE_MS, limit: 50, worker: "idle" })
    await asWorker()
    const before = await versions()
    for (let tick = 0; tick < 5; tick++) expect(await asWorker()).toEqual([])
    expect(await versions()).toEqual(before)
  })
})

describe("[N21] a gateway that asks to be left alone", () => {
  const tooMany = (forMs: number) =>
    pauseChecks(ledger.database, ACCOUNT, { forMs, isTooMany: true })

  it("is asked half as often after a 429, once for all that was asked before", async () => {
    await budget(20, 20)
    await Promise.all(Array.from({ length: 10 }, () => tooMany(SECOND)))
    expect((await account()).rate).toBe(10)
    await pass(LIMITS.checksHalveEveryMs)
    await tooMany(SECOND)
    expect((await account()).rate).toBe(5)
  })

  it("is asked once a second at least, however often it says 429", async () => {
    await budget(20, 20)
    for (let storm = 0; storm < 12; storm++) {
      await tooMany(SECOND)
      await pass(LIMITS.checksHalveEveryMs + SECOND)
    }
    expect((await account()).rate).toBe(LIMITS.checksPerSecondMin)
    await due(3)
    expect(await claim()).toHaveLength(1)
  })

  it("[N25] is asked as often as before after a 503", async () => {
    await budget(20, 20)
    await pauseChecks(ledger.database, ACCOUNT, { forMs: 7 * SECOND, isTooMany: false })
    expect((await account()).rate).toBe(20)
    await due(3)
    expect(await claim()).toEqual([])
  })

  it("is left alone by every worker until then, and asked for all that was due afterwards, in its order", async () => {
    await budget(20, 20)
    const rows = await due(30)
    await ledger.sql("update mp_operation set waiting = true where id = $1", [rows[20]])
    await tooMany(7 * SECOND)
    const [early] = await ledger.sql(
      `select count(*)::int as n from mp_operation o join mp_account a on a.id = o.account_id
        where o.next_check_at < a.checks_paused_until`,
    )
    expect(early).toEqual({ n: 0 })
    await due(5)
    for (const workers of [1, 2]) {
      const all = await Promise.all(Array.from({ length: workers }, () => claim()))
      expect(all.flat()).toEqual([])
      await pass(3 * SECOND)
    }
    await pass(2 * SECOND)
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

  it("holds up neither another account nor an order that is paid", async () => {
    await budget(20, 20)
    const [paid] = await due(1)
    await ledger.sql("update mp_operation set state = 'completed' where id = $1", [paid])
    await due(60)
    const [other] = await due(1, OTHER)
    await tooMany(MINUTE)
    expect(ids(await claim(10)).sort()).toEqual([paid, other].sort())
  })

  it("is not left alone for shorter because it asks for less the second time", async () => {
    await budget(20, 20)
    await tooMany(30 * SECOND)
    await tooMany(SECOND)
    await due(3)
    await pass(2 * SECOND)
    await spendChecks(ledger.database, ACCOUNT, -5)
    expect(await claim()).toEqual([])
  })

  it("is left alone even where questions are left over, and asked gently when its time has come", async () => {
    await budget(20, 20)
    const since = performance.now()
    await tooMany(7 * SECOND)
    await due(30)
    await spendChecks(ledger.database, ACCOUNT, -5)
    expect(await claim()).toEqual([])
    await spendChecks(ledger.database, ACCOUNT, 5)
    await pass(7 * SECOND)
    // Not made up for in one burst: 10 a second, from nothing.
    const { length } = await claim()
    expect(length).toBeLessThanOrEqual(1 + (10 * (performance.now() - since)) / SECOND)
  })

  it("leaves a row alone that a worker checks just now", async () => {
    await budget(20, 20)
    const [id = ""] = await due(1)
    const [held] = await claim()
    await tooMany(30 * SECOND)
    const [row] = await ledger.sql("select next_check_at from mp_operation where id = $1", [id])
    expect(row).toEqual({ next_check_at: held?.nextCheckAt })
  })
})

it("[P16] a claim whose connection is ended in the middle takes nothing and spends nothing", async () => {
  await budget(20, 20)
  const rows = await due(8)
  // Holds the account's row, so that the claim stands still with its operations locked.
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
  const claimPid = await until(() => pidOf("%with fund as%", "Lock"), "the claim waits for it")
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
  expect(await account()).toEqual({ rate: 20, left: 20 })
  expect(ids(await claim())).toEqual(rows)
})
