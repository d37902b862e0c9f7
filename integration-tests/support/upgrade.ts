/** A ledger as a store of an older version has it, and as a store of a later one will. */
import fs from "node:fs"
import path from "node:path"
import { Client } from "pg"
import { NEEDED_MIGRATIONS } from "../../src/medusa/wiring/needed-migrations"
import type * as CheckDue from "../../src/worker/check-due-operations"
import type * as StartPayment from "../../src/checkout/start-payment"
import type * as SendRefund from "../../src/refunds/send-refund-of-medusa"
import type * as RequestPayout from "../../src/payouts/request-payout"
import type { LedgerDatabase } from "./ledger-database"
import { FIRST_MIGRATION, migrationSql, ranSql } from "./migration-sql"

/** A version to come has one migration more. */
const NAME_TO_COME = "Migration29990101000000"
export const NEEDED_TO_COME = [...NEEDED_MIGRATIONS, NAME_TO_COME]

const OWN_TABLES = `
  select relname as name from pg_class
   where relname like 'mp\\_%' and relkind in ('r', 'p') and pg_table_is_visible(oid)
   order by relname`

/**
 * Gives the ledger the tables of the first migration, with the rows that are there: of each the
 * columns that the first version has. A row of a later version has no more than that to lose,
 * because migrations only add.
 */
export async function asOfFirstMigration({ url }: Pick<LedgerDatabase, "url">): Promise<void> {
  await inSession(url, async (client) => {
    const tables = await tablesIn(client)
    await client.query("create schema kept")
    for (const table of tables) {
      await client.query(`create table kept.${table} as select * from ${table}`)
    }
    await runAll(client, await migrationSql("down"))
    await runAll(client, await migrationSql("up", [FIRST_MIGRATION]))
    await runAll(client, ranSql([FIRST_MIGRATION]))
    // Rows come in any order, and the words of the search are among them.
    await client.query("set session_replication_role = replica")
    for (const table of tables) {
      const { rows } = await client.query<{ columns: string | null }>(
        `select string_agg(quote_ident(a.attname), ', ') as columns from pg_attribute a
          where a.attrelid = to_regclass($1) and a.attnum > 0 and not a.attisdropped`,
        [`public.${table}`],
      )
      const columns = rows[0]?.columns
      if (!columns) continue
      await client.query(`insert into ${table} (${columns}) select ${columns} from kept.${table}`)
    }
    await client.query("set session_replication_role = origin")
    await client.query("drop schema kept cascade")
  })
}

/** What `npx medusa db:migrate` then does. */
export async function migrateFromFirst({ url }: Pick<LedgerDatabase, "url">): Promise<void> {
  const later = NEEDED_MIGRATIONS.filter((name) => name !== FIRST_MIGRATION)
  await inSession(url, async (client) =>
    runAll(client, [...(await migrationSql("up", later)), ...ranSql()]),
  )
}

/** A migration of a version to come, thrown away with the test: whatever an author may add. */
export async function migrateToCome({ url }: Pick<LedgerDatabase, "url">): Promise<void> {
  await inSession(url, async (client) => {
    const added = (await tablesIn(client)).flatMap((table) => [
      `alter table ${table} add column to_come text`,
      `alter table ${table} add column to_come_count integer not null default 0`,
      `create unique index ${table}_to_come on ${table} (to_come) where to_come is not null`,
    ])
    await runAll(client, [
      ...added,
      "create table mp_to_come (id text primary key, operation_id text references mp_operation (id))",
      `alter table mp_operation drop constraint operation_type_is_known,
         add constraint operation_type_is_known
           check (type in ('COLLECTION', 'REFUND', 'PAYOUT', 'TRANSFER', 'TO_COME'))`,
      ...ranSql(NEEDED_TO_COME),
    ])
  })
}

async function tablesIn(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(OWN_TABLES)
  return rows.map(({ name }) => name)
}

/** What of a version's code plays a payment. */
export type VersionCode = Pick<typeof StartPayment, "startPayment"> &
  Pick<typeof CheckDue, "checkDueOperations"> &
  Pick<typeof SendRefund, "sendRefundOfMedusa"> &
  Pick<typeof RequestPayout, "requestPayout">

/** Names a folder with an older version's package, as `npm pack` and `tar -x` leave it. */
const OLD_PACKAGE = "UPGRADE_OLD_PACKAGE"

/**
 * The code that a roll back brings: of the package that {@link OLD_PACKAGE} names, else of this
 * checkout, for which {@link migrateToCome} makes newer tables.
 */
export function oldCode(): VersionCode {
  const folder = process.env[OLD_PACKAGE]
  const built = folder === undefined ? undefined : path.join(folder, ".medusa/server/src")
  if (built !== undefined && !fs.existsSync(built)) throw new Error(`${built} is not there`)
  const source = built ?? path.resolve(__dirname, "../../src")
  return Object.assign(
    {},
    ...[
      "checkout/start-payment",
      "worker/check-due-operations",
      "refunds/send-refund-of-medusa",
      "payouts/request-payout",
      // eslint-disable-next-line @typescript-eslint/no-require-imports
    ].map((file): unknown => require(path.join(source, file))),
  ) as VersionCode
}

async function runAll(client: Client, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await client.query(statement)
}

/** All of it or nothing, as Medusa runs a migration. */
async function inSession(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query("begin")
    await work(client)
    await client.query("commit")
  } finally {
    await client.end()
  }
}
