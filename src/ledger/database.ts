/**
 * The one way to Postgres: the host's own connection pool, with plain SQL and `$1` parameters.
 * Medusa hands out a knex instance; only its pool is used, because the ledger's statements are
 * single, complete sentences of SQL that a query builder would only hide.
 *
 * Each call of `query` is one statement in its own transaction. Nothing here holds a transaction
 * open across a network call, because nothing here holds a transaction open. A statement that
 * surely did nothing is tried again (`repeat-statement.ts`).
 */
import { createHash } from "node:crypto"
import { systemClock, systemRandom, type Clock, type Random } from "../core/ports"
import { databaseFault, isAway } from "./database-error"
import { repeatStatement } from "./repeat-statement"

export type Row = Record<string, unknown>

export type Database = {
  /**
   * @param name of a statement that always has the same text: each connection plans it once, and
   *   not at each tick. On the wire it carries a digest of the text.
   */
  query(sql: string, parameters: readonly unknown[], name?: string): Promise<Row[]>
}

/** What is used of knex: the pool of `pg` clients below it. */
export type ConnectionPool = {
  readonly client: {
    acquireConnection(): Promise<PgConnection>
    releaseConnection(connection: PgConnection): Promise<void>
  }
}

type Statement = { readonly text: string; readonly values: unknown[]; readonly name?: string }

type PgConnection = {
  query(statement: Statement): Promise<{ rows: Row[] }>
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
  let hasNames = true
  const names = new Map<string, string>()
  return {
    query: (text, parameters, name) =>
      repeatStatement(async () => {
        const statement = { text, values: [...parameters] }
        if (name === undefined || !hasNames) return queryOnce(pool, statement)
        try {
          return await queryOnce(pool, { ...statement, name: nameOf(names, name, text) })
        } catch (error) {
          if (!isOfNames(error)) throw error
          hasNames = false
          return queryOnce(pool, statement)
        }
      }, ports),
  }
}

/**
 * Behind a pooler that keeps the server's connections, a name may have been given by a process of
 * another version: without the digest its text would run, or be refused again and again for its
 * parameters.
 */
function nameOf(known: Map<string, string>, name: string, text: string): string {
  const named =
    known.get(text) ?? `${name}_${createHash("sha256").update(text).digest("hex").slice(0, 12)}`
  known.set(text, named)
  return named
}

/**
 * Refused for its name, before anything ran. A pooler between us and the server may give each
 * statement to another of its connections: the name is unknown there, or taken. And a migration
 * that adds a column while we run gives the same text another answer than the one that was planned.
 */
function isOfNames(error: unknown): boolean {
  if (typeof error !== "object" || error === null || !("code" in error)) return false
  if (error.code === "0A000") return error instanceof Error && /cached plan/.test(error.message)
  return error.code === "26000" || error.code === "42P05"
}

async function queryOnce(pool: ConnectionPool, statement: Statement): Promise<Row[]> {
  const connection = await pool.client.acquireConnection()
  try {
    const { rows } = await connection.query(statement)
    return rows
  } catch (error) {
    // The server says goodbye before it hangs up: the next statement would get a line that is
    // dying.
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
