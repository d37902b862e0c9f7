/**
 * The one way to Postgres: the host's own connection pool, with plain SQL and `$1` parameters. Medusa
 * hands out a knex instance; only its pool is used, because the ledger's statements are single, complete
 * sentences of SQL that a query builder would only hide.
 *
 * Each call of `query` is one statement in its own transaction. Nothing here holds a transaction open
 * across a network call, because nothing here holds a transaction open. A statement that surely did
 * nothing is tried again (`repeat-statement.ts`).
 */
import { systemClock, systemRandom, type Clock, type Random } from "../core/ports"
import { databaseFault, isAway } from "./database-error"
import { repeatStatement } from "./repeat-statement"

export type Row = Record<string, unknown>

export type Database = {
  query(sql: string, parameters: readonly unknown[]): Promise<Row[]>
}

/** What is used of knex: the pool of `pg` clients below it. */
export type ConnectionPool = {
  readonly client: {
    acquireConnection(): Promise<PgConnection>
    releaseConnection(connection: PgConnection): Promise<void>
  }
}

type PgConnection = {
  query(sql: string, parameters: unknown[]): Promise<{ rows: Row[] }>
  /** Set, the pool does not give the connection out again. */
  __knex__disposed?: unknown
}

export function databaseOver(
  pool: ConnectionPool,
  ports: { readonly clock: Pick<Clock, "sleep">; readonly random: Random } = {
    clock: systemClock,
    random: systemRandom,
  },
): Database {
  return {
    query: (sql, parameters) => repeatStatement(() => queryOnce(pool, sql, parameters), ports),
  }
}

async function queryOnce(
  pool: ConnectionPool,
  sql: string,
  parameters: readonly unknown[],
): Promise<Row[]> {
  const connection = await pool.client.acquireConnection()
  try {
    const { rows } = await connection.query(sql, [...parameters])
    return rows
  } catch (error) {
    // The server says goodbye before it hangs up: the next statement would get a line that is dying.
    if (isAway(databaseFault(error))) connection.__knex__disposed = error
    throw error
  } finally {
    await pool.client.releaseConnection(connection)
  }
}

/** Postgres' code for a broken unique rule, and the name of that rule. */
export function brokenRule(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  return code === "23505" && typeof constraint === "string" ? constraint : undefined
}
