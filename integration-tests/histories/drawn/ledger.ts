/**
 * The real ledger on the driven clock: its tables and statements as they are, over a `now()` that
 * stands before the server's own in the search path.
 *
 * A ledger in memory would be faster, and would prove something else: that nobody is charged twice
 * rests on a unique index, on compare-and-set by version and lease, and on statements that write a
 * state and its event together. Those are Postgres' to keep, so Postgres takes part.
 */
import { Client, type QueryConfig } from "pg"
import { databaseOver, type Database, type Row } from "../../../src/ledger/database"
import { startOwnLedgerDatabase } from "../../support/ledger-database"
import type { DrivenClock } from "./clock"

/**
 * The moment that was set, and a millisecond for each transaction since: one for all of a
 * statement.
 */
const OWN_NOW = `
  create function public.now() returns timestamptz language sql stable as $$
    select coalesce(
      nullif(current_setting('driven.since', true), '')::timestamptz
        + (pg_current_xact_id()::text::bigint - current_setting('driven.xact', true)::bigint)
          * interval '1 ms',
      pg_catalog.now()) $$`
const SET_NOW = `
  select set_config('driven.since', $1, false),
         set_config('driven.xact', pg_current_xact_id()::text, false)`
const STATEMENT_MS = 1

const SETTINGS = [
  "search_path to public, pg_catalog",
  "jit to off",
  // One plan, whatever was asked before, or rows that no statement orders could come in another
  // order.
  "plan_cache_mode to force_generic_plan",
]

/** They change no answer, and each is planned with, for every statement, and emptied. */
const NOT_UNIQUE = `
  select indexrelid::regclass::text as name from pg_index
   where not indisunique and indrelid::regclass::text like 'mp\\_%'`
const TABLES = `
  select oid::regclass::text as name from pg_class
   where relkind = 'r' and relname like 'mp\\_%' order by relname`
const REFILL = `
  update mp_account
     set fee_bearer = $1, checks_left = checks_per_second_max, checks_counted_at = now(),
         checks_paused_until = null`

const DUE = `
  select min(greatest(next_check_at, coalesce(lease_until, next_check_at))) as at
    from mp_operation where next_check_at is not null`

export type DrivenLedger = {
  readonly database: Database
  sql(text: string, parameters?: readonly unknown[]): Promise<Row[]>
  /** An empty ledger, for the next sequence. */
  clear(feeBearer: "PAYER" | null): Promise<void>
  /** When somebody has to look next, by the driven clock; undefined: never again. */
  dueAtMs(): Promise<number | undefined>
  stop(): Promise<void>
}

export async function startDrivenLedger(clock: DrivenClock): Promise<DrivenLedger> {
  const ledger = await startOwnLedgerDatabase(async (url) => {
    const client = await connected(url)
    await client.query(OWN_NOW)
    // Its transactions would count.
    await client.query("alter system set autovacuum = off")
    await client.query("select pg_reload_conf()")
    const name = client.escapeIdentifier(client.database ?? "")
    for (const setting of SETTINGS) await client.query(`alter database ${name} set ${setting}`)
    await client.end()
  })
  // One connection: the scheduler lets one statement go at a time.
  const client = await connected(ledger.url)
  let knownMs: number | undefined
  const query = async (statement: QueryConfig) => {
    const nowMs = clock.nowMs()
    const isMoved = nowMs !== knownMs
    clock.pass(STATEMENT_MS)
    knownMs = clock.nowMs()
    if (isMoved) await client.query(SET_NOW, [new Date(nowMs).toISOString()])
    return client.query<Row>(statement)
  }
  const database = prepared(
    databaseOver({
      client: {
        acquireConnection: () => Promise.resolve({ query }),
        releaseConnection: () => Promise.resolve(),
      },
    }),
  )
  const sql = (text: string, parameters: readonly unknown[] = []) =>
    database.query(text, parameters)
  for (const name of namesOf(await sql(NOT_UNIQUE))) await client.query(`drop index ${name}`)
  const tables = namesOf(await sql(TABLES))
  const filled = namesOf(await sql(filledAmong(tables)))
  const ownOfASequence = tables.filter((name) => !filled.includes(name))
  return {
    database,
    sql,
    async clear(feeBearer) {
      // What one sequence has left is no matter of the next, or its place would decide about it.
      const left = namesOf(await sql(filledAmong(ownOfASequence)))
      if (left.length > 0) await client.query(`truncate ${left.join()} cascade`)
      await sql(REFILL, [feeBearer])
    },
    async dueAtMs() {
      const [row] = await sql(DUE)
      return row?.["at"] instanceof Date ? row["at"].getTime() : undefined
    },
    async stop() {
      await client.end()
      await ledger.stop()
    },
  }
}

/**
 * Every statement has a name, so that it is planned once for all histories: on tables so small,
 * planning is most of what a statement costs. Nothing is compiled on this server.
 */
function prepared(database: Database): Database {
  return {
    query: (text, parameters, how) =>
      database.query(text, parameters, typeof how === "string" ? how : "drawn"),
  }
}

const filledAmong = (tables: readonly string[]): string =>
  tables
    .map((name) => `select '${name}' as name where exists (select from ${name})`)
    .join(" union all ")

const namesOf = (rows: readonly Row[]): string[] => rows.map(({ name }) => String(name))

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return client
}
