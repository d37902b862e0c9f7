/**
 * A database that was not migrated: nothing moves money, one log line says why, and everything goes
 * on by itself once the tables fit. While they fit, a statement costs nothing more.
 */
import fs from "node:fs"
import { LIMITS } from "../../../src/core/limits"
import type { FlowDeps } from "../../../src/engine/deps"
import type { Database } from "../../../src/ledger/database"
import { fittingTables, TablesNotMigrated } from "../../../src/ledger/fitting-tables"
import { readHealth } from "../../../src/accounts/read-health"
import type { AccountDeps } from "../../../src/accounts/deps"
import { checkDueOperations } from "../../../src/worker/check-due-operations"
import { NEEDED_MIGRATIONS } from "../../../src/medusa/wiring/needed-migrations"
import { steadyPass } from "../../../src/worker/steady-pass"
import { SECOND } from "../../support/an-operation"
import { drivenClock } from "../../support/driven-clock"
import { FIRST_MIGRATION, MIGRATIONS } from "../../support/migration-sql"
import { actsIn, breachesIn, forgetPlans, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()
const { start, reread } = actsIn(harness)

const [LAST] = NEEDED_MIGRATIONS.slice(-1)

/** Taken back, as Medusa does it: what was made is gone, and so is the name of what made it. */
async function takeBack(): Promise<void> {
  await harness.ledger.sql("alter table mp_operation rename column phone_hint to not_yet")
  await harness.ledger.sql("delete from mikro_orm_migrations where name = $1", [LAST])
}

async function migrate(): Promise<void> {
  await harness.ledger.sql("alter table mp_operation rename column not_yet to phone_hint")
  await harness.ledger.sql("insert into mikro_orm_migrations (name) values ($1)", [LAST])
}

/** A process of a store: what it logs, and each statement that reaches the database. */
function aProcess() {
  const clock = drivenClock()
  const errors: string[] = []
  const infos: string[] = []
  const statements: string[] = []
  const plain: Database = {
    query(sql, parameters, name) {
      statements.push(sql)
      return harness.ledger.database.query(sql, parameters, name)
    },
  }
  const logger = {
    debug: () => undefined,
    info: (text: string) => void infos.push(text),
    warn: (text: string) => void errors.push(text),
    error: (text: string) => void errors.push(text),
  }
  const tables = fittingTables(plain, { clock, logger }, NEEDED_MIGRATIONS)
  const deps: FlowDeps = { ...harness.deps, logger, database: tables.database }
  const pass = steadyPass(clock, { fraction: () => 0 })
  return {
    clock,
    errors,
    infos,
    statements,
    tables,
    deps,
    job: () => pass(logger, () => checkDueOperations(deps, { atMost: 50 })),
  }
}

const calls = () => harness.simulator.book.documents().length

beforeEach(() => forgetPlans(harness))

afterEach(async () => {
  const [row] = await harness.ledger.sql(
    "select 1 from information_schema.columns where column_name = 'not_yet'",
  )
  if (row) await migrate()
  expect(await breachesIn(harness)).toEqual([])
})

it("the check of the tables costs one query, before the first statement", async () => {
  const { tables, statements } = aProcess()
  await Promise.all([1, 2, 3].map((one) => tables.database.query("select $1::int", [one])))
  for (const one of [4, 5]) await tables.database.query("select $1::int", [one])
  expect(statements.filter((sql) => sql.includes("mikro_orm_migrations"))).toHaveLength(1)
  expect(statements).toHaveLength(6)
})

it("[P29] a store takes no money while a migration has not run, and logs it once", async () => {
  await takeBack()
  const { deps, errors, job } = aProcess()
  const before = calls()
  const cart = harness.cart()
  await expect(start(cart.sessionId, deps)).rejects.toThrow(TablesNotMigrated)
  await expect(start(cart.sessionId, deps)).rejects.toMatchObject({
    refusal: { code: "tables_not_migrated", httpStatus: 503 },
  })
  await job()
  await job()
  expect(calls()).toBe(before)
  expect(errors).toEqual([
    expect.stringMatching(
      /^merchant payments: The database lacks .*: Migration\d{14}\. .*npx medusa db:migrate/,
    ),
  ])
})

it("a store checks its tables again once in a while, and goes on when a migration has run", async () => {
  await takeBack()
  const { clock, deps, statements, infos } = aProcess()
  const { sessionId, collectionId } = harness.cart()
  for (let knock = 0; knock < 20; knock++) {
    await expect(start(sessionId, deps)).rejects.toThrow(TablesNotMigrated)
  }
  expect(statements).toHaveLength(1)
  await migrate()
  await expect(start(sessionId, deps)).rejects.toThrow(TablesNotMigrated)
  clock.pass(LIMITS.tablesAskedEveryMs)
  await start(sessionId, deps)
  expect(await harness.shown(collectionId)).toMatchObject({ state: "in_flight" })
  expect(infos).toEqual([expect.stringContaining("tables fit now")])
})

it("work that waits for the tables is done once, before anything else", async () => {
  await takeBack()
  const { clock, tables, statements } = aProcess()
  await tables.onceTheyFit(async (database) => void (await database.query("select 'boot'", [])))
  expect(statements).toHaveLength(1)
  await migrate()
  clock.pass(LIMITS.tablesAskedEveryMs)
  await Promise.all([1, 2].map(() => tables.database.query("select 'later'", [])))
  expect(statements.slice(2)).toEqual(["select 'boot'", "select 'later'", "select 'later'"])
  await tables.onceTheyFit(async (database) => void (await database.query("select 'again'", [])))
  expect(statements.at(-1)).toBe("select 'again'")
})

it("work that waits for the tables is kept while the database does not answer", async () => {
  const { clock, statements } = aProcess()
  let isAway = true
  const plain: Database = {
    query(sql, parameters) {
      if (isAway) return Promise.reject(Object.assign(new Error("away"), { code: "57P03" }))
      statements.push(sql)
      return harness.ledger.database.query(sql, parameters)
    },
  }
  const around = { clock, logger: harness.deps.logger }
  const tables = fittingTables(plain, around, NEEDED_MIGRATIONS)
  const boot = async (database: Database) => void (await database.query("select 'boot'", []))
  await expect(tables.onceTheyFit(boot)).rejects.toThrow("away")
  isAway = false
  await tables.database.query("select 'later'", [])
  expect(statements.slice(1)).toEqual(["select 'boot'", "select 'later'"])
})

it("[P29] a running store notices missing tables, and its payments go on afterwards", async () => {
  const { clock, deps, errors, job } = aProcess()
  const { sessionId, collectionId } = harness.cart()
  await start(sessionId, deps)
  const operation = await harness.shown(collectionId)
  await takeBack()
  harness.simulator.handset.approve(operation.reference ?? "")
  const other = harness.cart()
  await expect(start(other.sessionId, deps)).rejects.toThrow(TablesNotMigrated)
  await job()
  expect(errors).toHaveLength(1)
  await migrate()
  expect(await reread(operation)).toMatchObject({ state: "in_flight" })
  clock.pass(LIMITS.tablesAskedEveryMs)
  await harness.pass(operation.id, 3 * SECOND)
  await job()
  expect(await reread(operation)).toMatchObject({ state: "completed" })
  expect(harness.of(collectionId).completions).toBe(1)
})

it("other database errors stay as they are", async () => {
  const { tables, errors } = aProcess()
  const query = (sql: string) => tables.database.query(sql, [])
  await expect(query("select * from a_table_of_medusas")).rejects.toMatchObject({ code: "42P01" })
  await expect(query("select 1 / 0")).rejects.toMatchObject({ code: "22012" })
  await expect(query("insert into mp_bucket (key) values ('no moment')")).rejects.toMatchObject({
    code: "23502",
  })
  expect(errors).toEqual([])
})

it("the setup check names what is missing, and is ok again at once", async () => {
  const { deps, tables } = aProcess()
  const health = () =>
    readHealth({
      ...deps,
      tables,
      environment: { id: "mpacc_env", account: undefined, clientId: null, sources: {} },
      setup: {
        read: () => Promise.resolve({ providerIds: [], regions: [], knownCurrencies: {} }),
        setRegionProviders: () => Promise.resolve(),
        unlistProviders: () => Promise.resolve(),
        regionsOfCarts: () => Promise.resolve(new Map()),
        locking: null,
        workflowEngine: null,
      },
    } as unknown as AccountDeps)
  const tablesLine = async () => (await health()).checks.find(({ name }) => name === "tables")
  expect(await tablesLine()).toMatchObject({ status: "ok", code: "tables_fit" })
  await takeBack()
  expect(await health()).toMatchObject({
    status: "down",
    checks: [
      { name: "database", status: "ok" },
      {
        name: "tables",
        status: "failed",
        code: "tables_missing",
        facts: { count: 1, missing: LAST },
      },
    ],
  })
  await expect(tables.database.query("select 1", [])).rejects.toThrow(TablesNotMigrated)
  await migrate()
  expect(await tablesLine()).toMatchObject({ status: "ok" })
  await tables.database.query("select 1", [])
})

it("a database without Medusa's own table lacks all, and is logged in one short line", async () => {
  const { errors } = aProcess()
  const empty: Database = {
    query: () => Promise.reject(Object.assign(new Error("no such table"), { code: "42P01" })),
  }
  const logger = { ...harness.deps.logger, error: (text: string) => void errors.push(text) }
  const tables = fittingTables(empty, { clock: drivenClock(), logger }, NEEDED_MIGRATIONS)
  expect(await tables.missing()).toEqual(NEEDED_MIGRATIONS)
  expect(errors).toEqual([expect.stringMatching(/Migration\d{14}, .*; and \d+ more\./)])
})

it("the store needs the migrations of its folder, in the order in which they run", () => {
  expect(NEEDED_MIGRATIONS[0]).toBe(FIRST_MIGRATION)
  expect(NEEDED_MIGRATIONS.length).toBe(
    fs.readdirSync(MIGRATIONS).filter((file) => file.startsWith("Migration")).length,
  )
})
