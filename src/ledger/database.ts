/**
 * The one way to Postgres: Medusa's own connection pool, with plain SQL and `$1` parameters. Of
 * Medusa's knex only the pool is used. Each `query` is one statement in its own transaction, so no
 * transaction is open across a network call. A statement that surely did nothing is tried again.
 */
import { createHash } from "node:crypto"
import { LIMITS } from "../core/limits"
import { systemClock, systemRandom, type Clock, type Random } from "../core/ports"
import { databaseFault, isAway, isRepeatable } from "./database-error"

export type Row = Record<string, unknown>

/**
 * For a statement that only reads and whose plan looks dearer than it is, because it ends at a limit
 * or finds little: Postgres would compile it for seconds, to run for milliseconds. The pool is the
 * shop's, so the setting holds for the statement's own transaction alone.
 */
export const UNCOMPILED = Symbol("without compilation")

export type Database = {
  /**
   * @param how a name, for a statement that always has the same text: each connection plans it
   *   once, and not at each tick. On the wire the name carries a digest of the text. Or
   *   {@link UNCOMPILED}.
   */
  query(
    sql: string,
    parameters: readonly unknown[],
    how?: string | typeof UNCOMPILED,
  ): Promise<Row[]>
}

/** The part of knex that is used: the pool of `pg` clients below it. */
export type ConnectionPool = {
  readonly client: {
    acquireConnection(): Promise<PgConnection>
    releaseConnection(connection: PgConnection): Promise<void>
  }
}

type Statement = { readonly text: string; readonly values: unknown[]; readonly name?: string }

type PgConnection = {
  query(statement: Statement): Promise<{ rows: Row[] }>
  /** When set, the pool does not give the connection out again. */
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
    query: (text, parameters, how) =>
      repeatStatement(async () => {
        const statement = { text, values: [...parameters] }
        if (how === UNCOMPILED) return queryOnce(pool, statement, uncompiled)
        if (how === undefined || !hasNames) return queryOnce(pool, statement)
        try {
          return await queryOnce(pool, { ...statement, name: nameOf(names, how, text) })
        } catch (error) {
          if (!isOfNames(error)) throw error
          hasNames = false
          return queryOnce(pool, statement)
        }
      }, ports),
  }
}

/**
 * Repeats a statement that surely did nothing. The pauses have full jitter, or two statements that
 * collided would collide again. A statement is a whole transaction, with no call to the gateway
 * inside. If its fate is unknown it is not repeated: its caller reads what became of it first.
 */
export async function repeatStatement<T>(
  statement: () => Promise<T>,
  ports: { readonly clock: Pick<Clock, "sleep">; readonly random: Random },
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await statement()
    } catch (error) {
      if (tries >= LIMITS.databaseTries || !isRepeatable(databaseFault(error))) throw error
      await ports.clock.sleep(ports.random.fraction() * LIMITS.databasePauseMs * 2 ** (tries - 1))
    }
  }
}

/**
 * A pooler keeps the server's connections, so a process of another version may have prepared the
 * name there. Without the digest, that version's text would run, or be refused again and again for
 * its parameters.
 */
function nameOf(known: Map<string, string>, name: string, text: string): string {
  const named =
    known.get(text) ?? `${name}_${createHash("sha256").update(text).digest("hex").slice(0, 12)}`
  known.set(text, named)
  return named
}

/**
 * Whether a statement was refused for its name, before anything ran. A pooler may give each
 * statement to another connection, where the name is unknown or taken. And a migration that adds a
 * column while we run gives the same text other columns than the ones that were planned.
 */
function isOfNames(error: unknown): boolean {
  if (typeof error !== "object" || error === null || !("code" in error)) return false
  if (error.code === "0A000") return error instanceof Error && /cached plan/.test(error.message)
  return error.code === "26000" || error.code === "42P05"
}

type Run = (connection: PgConnection, statement: Statement) => Promise<{ rows: Row[] }>

const asItIs: Run = (connection, statement) => connection.query(statement)

/** Runs a statement in a transaction in which nothing is compiled. It can't write. */
const uncompiled: Run = async (connection, statement) => {
  const plain = (text: string) => connection.query({ text, values: [] })
  await plain("begin read only; set local jit = off")
  try {
    return await connection.query(statement)
  } finally {
    // Nothing was written. A line that can't be told so is not used again.
    await plain("rollback").catch((error: unknown) => (connection.__knex__disposed = error))
  }
}

async function queryOnce(
  pool: ConnectionPool,
  statement: Statement,
  run: Run = asItIs,
): Promise<Row[]> {
  const connection = await pool.client.acquireConnection()
  try {
    const { rows } = await run(connection, statement)
    return rows
  } catch (error) {
    // The server reports its end before it hangs up: the next statement would fail on this one.
    if (isAway(databaseFault(error))) connection.__knex__disposed = error
    throw error
  } finally {
    await pool.client.releaseConnection(connection)
  }
}

/**
 * The rows of a statement that names its columns like the fields of `T`. The driver gives `bigint`
 * and `numeric` as text, so the statement must cast each column that is to be a number. A column
 * may be null only where its field allows it.
 */
export async function rowsOf<T extends Row>(
  database: Database,
  sql: string,
  parameters: readonly unknown[] = [],
  how?: string | typeof UNCOMPILED,
): Promise<T[]> {
  return (await database.query(sql, parameters, how)) as T[]
}

/** The one row of a statement that always has one. */
export async function rowOf<T extends Row>(
  database: Database,
  sql: string,
  parameters: readonly unknown[] = [],
  how?: string | typeof UNCOMPILED,
): Promise<T> {
  const [row] = await rowsOf<T>(database, sql, parameters, how)
  if (!row) throw new Error("the database gave no row")
  return row
}

/** A moment as the driver gives it: read as a `Date`, or left as text. */
export function momentIn(value: unknown): Date {
  return value instanceof Date ? value : new Date(String(value))
}

/** @returns the unique constraint that the statement broke (Postgres' code 23505), if it did */
export function brokenRule(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  return code === "23505" && typeof constraint === "string" ? constraint : undefined
}
