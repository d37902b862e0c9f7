/**
 * The code needs the tables that the migrations make, and finds what the database lacks of them,
 * column by column and rule by rule. Newer tables fit.
 */
import fs from "node:fs"
import { Client } from "pg"
import { INTEGER_CURRENCIES } from "../../../src/core/markets"
import type { Database, Row } from "../../../src/ledger/database"
import { missingTables } from "../../../src/ledger/tables/missing-tables"
import { NEEDED_TABLES } from "../../../src/ledger/tables/needed-tables"
import { readTables } from "../../../src/ledger/tables/read-tables"
import { startLedgerDatabase, type LedgerDatabase } from "../../support/ledger-database"
import { NEEDED_FILE, neededFile } from "../../support/needed-tables"

let ledger: LedgerDatabase
let client: Client

beforeAll(async () => {
  ledger = await startLedgerDatabase()
  client = new Client({ connectionString: ledger.url })
  await client.connect()
})

afterAll(async () => {
  await client.end()
  await ledger.stop()
})

/** What is missing after these statements, which are taken back. */
async function missingAfter(...statements: readonly string[]): Promise<string[]> {
  await client.query("begin")
  try {
    for (const statement of statements) await client.query(statement)
    const database: Database = {
      query: async (sql, values) => (await client.query<Row>(sql, [...values])).rows,
    }
    return missingTables(NEEDED_TABLES, await readTables(database))
  } finally {
    await client.query("rollback")
  }
}

it("needed-tables.ts has what the migrations make (`npm run tables` writes it)", async () => {
  const found = await readTables(ledger.database)
  const made = neededFile(found)
  if (process.env["UPDATE_TABLES"]) {
    fs.writeFileSync(NEEDED_FILE, made)
    return
  }
  expect(fs.readFileSync(NEEDED_FILE, "utf8")).toBe(made)
  expect(NEEDED_TABLES).toEqual(found)
})

it("the search knows the same currencies without decimals as the code", async () => {
  const [row] = await ledger.sql("select pg_get_functiondef('mp_search_words'::regproc) as body")
  const [, list = ""] = /currency_code in \(([^)]*)\)/.exec(String(row?.["body"])) ?? []
  expect(list.match(/[A-Z]{3}/g)?.sort()).toEqual([...INTEGER_CURRENCIES].sort())
})

it("freshly made tables lack nothing", async () => {
  expect(await missingAfter()).toEqual([])
})

describe("the check of the tables misses", () => {
  const TABLES = Object.entries(NEEDED_TABLES)

  it("each table", async () => {
    for (const [name] of TABLES) {
      expect(await missingAfter(`drop table ${name} cascade`)).toEqual([name])
    }
  })

  it("each column", async () => {
    for (const [name, { columns }] of TABLES) {
      for (const column of Object.keys(columns)) {
        const missing = await missingAfter(`alter table ${name} drop column ${column} cascade`)
        expect([`${name}.${column}`, missing]).toEqual([
          `${name}.${column}`,
          expect.arrayContaining([`${name}.${column}`]),
        ])
      }
    }
  })

  it("each unique rule and each check", async () => {
    for (const [name, { rules, checks }] of TABLES) {
      const constraints = await ledger.sql(
        "select conname from pg_constraint where conrelid = $1::regclass",
        [name],
      )
      const isConstraint = (rule: string) => constraints.some(({ conname }) => conname === rule)
      for (const rule of [...Object.keys(rules), ...Object.keys(checks)]) {
        const drop = isConstraint(rule)
          ? `alter table ${name} drop constraint ${rule} cascade`
          : `drop index ${rule}`
        // Postgres lets a column of a primary key be null once the key is gone.
        expect(await missingAfter(drop)).toContain(`${name}: ${rule}`)
      }
    }
  })

  it("a trigger that is gone or switched off", async () => {
    const trigger = "operation_search_words_are_kept"
    const expected = [`mp_operation: ${trigger}`]
    expect(await missingAfter(`drop trigger ${trigger} on mp_operation`)).toEqual(expected)
    expect(await missingAfter(`alter table mp_operation disable trigger ${trigger}`)).toEqual(
      expected,
    )
  })

  it("a column or rule that is something else under its name", async () => {
    const alter = "alter table mp_operation"
    expect(await missingAfter(`${alter} alter column amount_minor drop not null`)).toEqual([
      "mp_operation.amount_minor (is bigint, must be bigint not null)",
    ])
    expect(await missingAfter(`${alter} alter column sendings drop default`)).toEqual([
      "mp_operation.sendings (is integer not null, must be integer not null default)",
    ])
    expect(await missingAfter(`${alter} alter column wallet_id type integer`)).toEqual([
      "mp_operation.wallet_id (is integer, must be bigint)",
    ])
    const rule = "one_live_collection_per_payment_collection"
    const others = [
      `create index ${rule} on mp_operation (payment_collection_id)`,
      `create unique index ${rule} on mp_operation (payment_session_id)`,
      `create unique index ${rule} on mp_operation (payment_collection_id)`,
      `create unique index ${rule} on mp_operation (payment_collection_id)
         where type = 'COLLECTION' and state = 'completed'`,
    ]
    for (const other of others) {
      expect(await missingAfter(`drop index ${rule}`, other)).toEqual([`mp_operation: ${rule}`])
    }
    const check = "operation_type_is_known"
    const narrow = `add constraint ${check} check (type in ('COLLECTION', 'REFUND'))`
    expect(await missingAfter(`${alter} drop constraint ${check}, ${narrow}`)).toEqual([
      `mp_operation: ${check}`,
    ])
  })

  it("a column of newer tables that this code would leave empty", async () => {
    expect(await missingAfter("alter table mp_bucket add column later text not null")).toEqual([
      "mp_bucket.later (must be optional)",
    ])
  })
})

it("newer tables fit", async () => {
  const added = Object.keys(NEEDED_TABLES).flatMap((name) => [
    `alter table ${name} add column later text`,
    `alter table ${name} add column later_counted integer not null default 0`,
    `create unique index ${name}_later on ${name} (later) where later is not null`,
  ])
  const wider = `('COLLECTION', 'REFUND', 'PAYOUT', 'TRANSFER', 'LATER')`
  expect(
    await missingAfter(
      ...added,
      "create table mp_later (id text primary key, name text not null)",
      `alter table mp_operation drop constraint operation_type_is_known,
         add constraint operation_type_is_known check (type in ${wider})`,
    ),
  ).toEqual([])
})

it("tables are found in the schema that the store uses", async () => {
  expect(
    await missingAfter(
      "create schema elsewhere",
      "alter table mp_bucket set schema elsewhere",
      "set local search_path to public",
    ),
  ).toEqual(["mp_bucket"])
  expect(
    await missingAfter(
      "create schema elsewhere",
      "alter table mp_bucket set schema elsewhere",
      "set local search_path to elsewhere, public",
    ),
  ).toEqual([])
})
