/** Statements that stay small in a large ledger, by their plans on a ledger of some thousands. */
import { Pool } from "pg"
import { UNCOMPILED, type Database } from "../../../src/ledger/database"
import { LIMITS } from "../../../src/core/limits"
import { listMoney, listOperations } from "../../../src/review/sql/list-operations"
import { databaseOfPool, drafted, startLedgerDatabase } from "../../support/ledger-database"
import type { LedgerDatabase } from "../../support/ledger-database"

/** An ordinary PostgreSQL, which compiles what it takes for dear; the tests' own one can't. */
const WITH_JIT = process.env["TEST_POSTGRES_URL"]
const ROWS = 3 * LIMITS.listCandidatesMax

let ledger: LedgerDatabase

beforeAll(async () => {
  ledger = await startLedgerDatabase()
  const { id } = await drafted(ledger.database)
  await ledger.sql(
    `insert into mp_operation
     select (jsonb_populate_record(o, jsonb_build_object('id', 'mpop_' || n, 'state', 'expired',
              'payment_collection_id', 'pay_col_' || n, 'payment_session_id', 'payses_' || n,
              'search_words', array[case when n <= $2::int then 'old' else 'new' end],
              'next_check_at', null, 'draft_reference', gen_random_uuid(),
              'created_at', now() - ($3::int - n) * interval '1 s'))).*
       from mp_operation o, generate_series(1, $3::int) n where o.id = $1`,
    [id, LIMITS.listCandidatesMax + 100, ROWS],
  )
  await ledger.sql("vacuum analyze")
})

afterAll(() => ledger.stop())

describe("a search for words that only old payments have", () => {
  const words = "'old':*"
  const paging = { limit: 20, offset: 0 }

  it("finds the newest of those payments", async () => {
    const page = await listOperations(ledger.database, { words }, paging)
    const newest = LIMITS.listCandidatesMax + 100
    expect(page.operations.map(({ operation }) => String(operation.id))).toEqual(
      Array.from({ length: 20 }, (_, index) => `mpop_${newest - index}`),
    )
    expect(page).toMatchObject({ isMore: true, count: LIMITS.listCountMax })
    const after = page.operations.at(-1)?.place
    const next = await listOperations(ledger.database, { words }, { ...paging, after })
    expect(String(next.operations[0]?.operation.id)).toBe(`mpop_${newest - 20}`)
  })

  it("finds nothing where another condition leaves nothing", async () => {
    const none = await listOperations(ledger.database, { words, states: ["review"] }, paging)
    expect(none).toMatchObject({ operations: [], count: 0, isMore: false })
  })

  it("looks up a bounded number of rows", async () => {
    const plans: string[] = []
    const explaining: Database = {
      async query(sql, parameters, how) {
        const rows = await ledger.sql(`explain (analyze) ${sql}`, [...parameters])
        plans.push(rows.map((row) => String(row["QUERY PLAN"])).join("\n"))
        return ledger.database.query(sql, parameters, how)
      },
    }
    await listOperations(explaining, { words }, paging)
    const loops = plans.flatMap((plan) =>
      [...plan.matchAll(/mp_operation_search_pkey[^\n]*loops=(\d+)/g)].map(([, times]) =>
        Number(times),
      ),
    )
    expect(Math.max(...loops)).toBeLessThanOrEqual(LIMITS.listCandidatesMax)
  })

  it("is added up where few rows match", async () => {
    const all = await listMoney(ledger.database, { words: "'old':*" }, ROWS)
    expect(all).toHaveLength(LIMITS.listCandidatesMax + 100)
    const none = { words: "'old':*", states: ["review"] } as const
    expect(await listMoney(ledger.database, none, 1_000)).toEqual([])
    expect(await listMoney(ledger.database, { words: "'old':*" }, 1_000)).toBeNull()
  })
})

describe("a statement that must not be compiled", () => {
  const asked =
    "select current_setting('jit') as jit, current_setting('transaction_read_only') as ro"

  it("runs in a separate transaction, and leaves the shop's connection as it was", async () => {
    const pool = new Pool({ connectionString: ledger.url, max: 1 })
    const database = databaseOfPool(pool)
    const before = await database.query(asked, [])
    expect(await database.query(asked, [], UNCOMPILED)).toEqual([{ jit: "off", ro: "on" }])
    await expect(database.query("select 1 / 0", [], UNCOMPILED)).rejects.toThrow("division")
    expect(await database.query(asked, [])).toEqual(before)
    await pool.end()
  })

  const onPostgres = WITH_JIT === undefined ? it.skip : it
  onPostgres(
    "is not compiled by an ordinary postgres (set TEST_POSTGRES_URL to one with JIT)",
    async () => {
      const pool = new Pool({ connectionString: WITH_JIT, max: 1 })
      try {
        const database = databaseOfPool(pool)
        await database.query("set jit = on", [])
        await database.query("set jit_above_cost = 0", [])
        const explained = "explain (analyze) select count(*) from generate_series(1, 1000) n"
        const planOf = async (how?: typeof UNCOMPILED) =>
          (await database.query(explained, [], how))
            .map((row) => String(row["QUERY PLAN"]))
            .join("\n")
        expect(await planOf()).toContain("JIT:")
        expect(await planOf(UNCOMPILED)).not.toContain("JIT:")
      } finally {
        await pool.end()
      }
    },
  )
})
