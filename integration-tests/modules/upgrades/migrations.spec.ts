/**
 * The migrations: the first is frozen, because stores have its tables and Medusa never runs it
 * again. Each later one only adds, so that the previous version goes on next to it.
 */
import { createHash } from "node:crypto"
import fs from "node:fs"
import path from "node:path"
import { Client } from "pg"
import { INTEGER_CURRENCIES } from "../../../src/core/markets"
import type { Database, Row } from "../../../src/ledger/database"
import { NEEDED_MIGRATIONS } from "../../../src/medusa/wiring/needed-migrations"
import { notAdditive, readSchema } from "../../support/additive"
import { startLedgerDatabase, type LedgerDatabase } from "../../support/ledger-database"
import { FIRST_MIGRATION, migrationSql } from "../../support/migration-sql"

/** SHA-256 of the statements of the first migration, there and back. */
const FROZEN = "4c06ac51fd08158b0de9445120028c02891d0cb568e4f5b0e11217aeb0cc3815"

const INSTEAD =
  `${FIRST_MIGRATION} is in stores, and Medusa does not run it again: leave it and its folder ` +
  "schema/ as they are, and add a migration of your own. CONTRIBUTING.md, Change the tables, says how."

let ledger: LedgerDatabase
let client: Client
let database: Database

beforeAll(async () => {
  ledger = await startLedgerDatabase()
  client = new Client({ connectionString: ledger.url })
  await client.connect()
  database = {
    query: async (sql, values) => (await client.query<Row>(sql, [...values])).rows,
  }
})

afterAll(async () => {
  await client.end()
  await ledger.stop()
})

/** All but Medusa's own. */
const relations = async () => {
  const rows = await ledger.sql(
    `select relname from pg_class
      where relnamespace = 'public'::regnamespace and relname not like 'mikro\\_orm%'
      order by relname`,
  )
  return rows.map(({ relname }) => String(relname))
}

it("the first migration is frozen", async () => {
  const statements = [
    ...(await migrationSql("up", [FIRST_MIGRATION])),
    ...(await migrationSql("down", [FIRST_MIGRATION])),
  ]
  const digest = createHash("sha256").update(JSON.stringify(statements)).digest("hex")
  expect({ digest, instead: INSTEAD }).toEqual({ digest: FROZEN, instead: INSTEAD })
})

it("the first migration has the first name: Medusa runs them by name", () => {
  expect(NEEDED_MIGRATIONS[0]).toBe(FIRST_MIGRATION)
})

it("the migrations make the same tables again after a rollback, which leaves none", async () => {
  const run = async (direction: "up" | "down") => {
    for (const statement of await migrationSql(direction)) await ledger.sql(statement)
  }
  const made = await relations()
  expect(made.filter((name) => name.startsWith("mp_")).length).toBeGreaterThan(26)
  await run("down")
  expect(await relations()).toEqual([])
  await run("up")
  expect(await relations()).toEqual(made)
})

/** Empties the database and makes the tables of these migrations, in a transaction of the test's. */
async function onTablesOf(names: readonly string[], test: () => Promise<void>): Promise<void> {
  await client.query("begin")
  try {
    for (const statement of await migrationSql("down")) await client.query(statement)
    for (const statement of await migrationSql("up", names)) await client.query(statement)
    await test()
  } finally {
    await client.query("rollback")
  }
}

/** What is not additive about these statements, run on the tables that are there. */
async function judged(statements: readonly string[]): Promise<string[]> {
  const before = await readSchema(database)
  for (const statement of statements) await client.query(statement)
  return notAdditive(before, await readSchema(database))
}

it("docs/upgrade.md drops all tables, for a new installation", async () => {
  const page = fs.readFileSync(path.resolve(__dirname, "../../../docs/upgrade.md"), "utf8")
  const blocks = [...page.matchAll(/```sql\n([^]*?)```/g)].map(([, sql = ""]) => sql)
  await onTablesOf(NEEDED_MIGRATIONS, async () => {
    await client.query("truncate mikro_orm_migrations")
    for (const name of ["MigrationOfMedusas", ...NEEDED_MIGRATIONS]) {
      await client.query("insert into mikro_orm_migrations (name) values ($1)", [name])
    }
    await client.query(blocks.at(-1) ?? "")
    const schema = await readSchema(database)
    expect([schema.tables, schema.names.filter((name) => /mp_/.test(name))]).toEqual([{}, []])
    const left = await client.query("select name from mikro_orm_migrations")
    expect(left.rows).toEqual([{ name: "MigrationOfMedusas" }])
  })
})

/** Indexes that keep no rule, and that another one of the same migration stands in for. */
const REPLACED: Readonly<Record<string, readonly string[]>> = {
  Migration20261129100000: ["index operation_forgotten"],
  Migration20261129120000: [
    "index operation_of_source",
    "index operation_by_state",
    "index operation_of_phone",
  ],
}

it("each later migration only adds, or replaces an index", async () => {
  await onTablesOf([FIRST_MIGRATION], async () => {
    for (const name of NEEDED_MIGRATIONS.slice(1)) {
      expect([name, await judged(await migrationSql("up", [name]))]).toEqual([
        name,
        REPLACED[name] ?? [],
      ])
    }
  })
})

describe("a migration counts as adding", () => {
  const verdict = async (...statements: string[]) => {
    let found: string[] = []
    await onTablesOf(NEEDED_MIGRATIONS, async () => {
      found = await judged(statements)
    })
    return found
  }
  const onOperation = (change: string) => `alter table mp_operation ${change}`
  const wider = "('COLLECTION', 'REFUND', 'PAYOUT', 'TRANSFER', 'LATER')"

  it.each([
    ["a table", "create table mp_later (id text primary key, name text not null)"],
    ["a column that may be empty", onOperation("add column later text")],
    ["a column with a default", onOperation("add column later integer not null default 0")],
    ["an index", "create index operation_later on mp_operation (carrier)"],
    [
      "a rule about a new column",
      `${onOperation("add column later text")};
       create unique index one_later on mp_operation (account_id, later) where later is not null`,
    ],
    [
      "a check that allows one value more",
      onOperation(`drop constraint operation_type_is_known,
                   add constraint operation_type_is_known check (type in ${wider})`),
    ],
    [
      "a function in the place of one of the same name",
      `create or replace function mp_search_words(o mp_operation) returns tsvector
         language sql stable as $$ select to_tsvector(o.id) $$`,
    ],
  ])("where it brings %s", async (_, statement) => {
    expect(await verdict(statement)).toEqual([])
  })

  it.each([
    ["drops a table", "drop table mp_receipt", ["mp_receipt", "index mp_receipt_pkey"]],
    ["renames a table", "alter table mp_receipt rename to mp_paper", ["mp_receipt"]],
    ["drops a column", onOperation("drop column carrier"), ["mp_operation.carrier"]],
    [
      "renames a column",
      onOperation("rename column carrier to operator"),
      ["mp_operation.carrier"],
    ],
    [
      "changes a type",
      onOperation("alter column carrier type varchar(80)"),
      ["mp_operation.carrier (is character varying(80), must be text)"],
    ],
    [
      "wants a value where none was wanted",
      onOperation("alter column carrier set not null"),
      ["mp_operation.carrier (is text not null, must be text)"],
    ],
    [
      "brings a column that every row has to fill",
      onOperation("add column later text not null"),
      ["mp_operation.later (must be optional)"],
    ],
    [
      "drops a default",
      onOperation("alter column sendings drop default"),
      ["mp_operation.sendings (is integer not null, must be integer not null default)"],
    ],
    [
      "drops a rule",
      "drop index one_operation_per_reference",
      ["mp_operation: one_operation_per_reference", "index one_operation_per_reference"],
    ],
    ["drops an index", "drop index operation_of_cart", ["index operation_of_cart"]],
    [
      "forbids a value that is written",
      onOperation(`drop constraint operation_source_type_is_known,
        add constraint operation_source_type_is_known check (source_type in ('ORDER'))`),
      ["mp_operation: operation_source_type_is_known"],
    ],
    [
      "makes a rule of columns that are filled without it",
      "create unique index one_per_cart on mp_operation (cart_id)",
      ["mp_operation: one_per_cart (refuses rows of the code before)"],
    ],
    [
      "makes a check of columns that are filled without it",
      onOperation("add constraint a_carrier_is_named check (carrier <> '')"),
      ["mp_operation: a_carrier_is_named (refuses rows of the code before)"],
    ],
    [
      "makes a reference of a column that is filled without it",
      "alter table mp_start add constraint start_of_cart foreign key (network) references mp_bucket (key)",
      ["mp_start: start_of_cart (refuses rows of the code before)"],
    ],
    [
      "drops what keeps the search",
      "drop function mp_keep_search_words cascade",
      ["mp_operation: operation_search_words_are_kept", "function mp_keep_search_words()"],
    ],
  ])("and not where it %s", async (_, statement, expected) => {
    expect(await verdict(statement)).toEqual(expected)
  })
})

it("the search knows the same currencies without decimals as the code", async () => {
  const [row] = await ledger.sql("select pg_get_functiondef('mp_search_words'::regproc) as body")
  const [, list = ""] = /currency_code in \(([^)]*)\)/.exec(String(row?.["body"])) ?? []
  expect(list.match(/[A-Z]{3}/g)?.sort()).toEqual([...INTEGER_CURRENCIES].sort())
})
