/**
 * The ledger's way to Postgres for everything that moves money: no statement runs while a migration
 * of this version has not run, so no payment, refund or payout begins that could not be written
 * down. Medusa's own table of migrations is asked before the first statement, and again when a
 * statement fails in the way of a missing table. Newer tables fit, because migrations only add.
 * While the tables fit, a statement costs nothing more.
 */
import { LIMITS } from "../core/limits"
import { sentence } from "../core/messages"
import type { Clock, Logger } from "../core/ports"
import { refusal, type Refusal } from "../core/refusal"
import { rowsOf, type Database } from "./database"

/**
 * A statement was not run. No refusal: inside a flow it counts as a failure of the database, from
 * which nothing may be concluded about money.
 */
export class TablesNotMigrated extends Error {
  override readonly name = "TablesNotMigrated"
  /** As a route answers it. */
  readonly refusal: Refusal

  constructor() {
    const refused = refusal("tables_not_migrated")
    super(`${refused.code}: ${refused.message}`)
    this.refusal = refused
  }
}

export type FittingTables = {
  /** Throws {@link TablesNotMigrated} in place of running a statement while the tables don't fit. */
  readonly database: Database
  /** Runs each statement, for Medusa's own tables alone. */
  readonly unguarded: Database
  /**
   * Asks the database now. Logs when they stop to fit, and when they fit again.
   *
   * @returns what is missing, by the names of their migrations
   */
  missing(): Promise<readonly string[]>
  /**
   * Runs the work when the tables fit, before any other statement: now, or once a migration has
   * run. It must not reject.
   */
  onceTheyFit(work: (database: Database) => Promise<void>): Promise<void>
}

type Around = {
  readonly clock: Pick<Clock, "monotonicMs">
  readonly logger: Pick<Logger, "error" | "info">
}

/** @param needed the names of this version's migrations, in their order */
export function fittingTables(
  plain: Database,
  { clock, logger }: Around,
  needed: readonly string[],
): FittingTables {
  let isFitting = false
  /** The sentence that was logged; null: none, or they fit again. */
  let told: string | null = null
  let refusesUntilMs = -Infinity
  let asking: Promise<readonly string[]> | undefined
  const waiting: ((database: Database) => Promise<void>)[] = []

  const ask = async (): Promise<readonly string[]> => {
    const missing = await missingIn(plain, needed)
    if (missing.length > 0) {
      isFitting = false
      refusesUntilMs = clock.monotonicMs() + LIMITS.tablesAskedEveryMs
      const text = sentence("health", ...missingWords(missing))
      if (text !== told) logger.error(`merchant payments: ${text}`)
      told = text
      return missing
    }
    for (let work = waiting.shift(); work; work = waiting.shift()) await work(plain)
    isFitting = true
    if (told !== null) logger.info("merchant payments: the tables fit now; payments go on")
    told = null
    return missing
  }
  /** One question for all statements that wait for its answer. */
  const missing = () => (asking ??= ask().finally(() => (asking = undefined)))

  return {
    missing,
    unguarded: plain,
    async onceTheyFit(work) {
      waiting.push(work)
      const isThere = (await missing()).length === 0
      // It came too late for a question that was under way.
      if (isThere && waiting.includes(work)) await missing()
    },
    database: {
      async query(sql, parameters, how) {
        if (!isFitting) {
          if (clock.monotonicMs() < refusesUntilMs) throw new TablesNotMigrated()
          if ((await missing()).length > 0) throw new TablesNotMigrated()
        }
        try {
          return await plain.query(sql, parameters, how)
        } catch (error) {
          if (isOfTables(error) && (await missing()).length > 0) throw new TablesNotMigrated()
          throw error
        }
      },
    },
  }
}

/** The code and facts of the line that names what is missing: in the log and in the setup check. */
export function missingWords(
  missing: readonly string[],
): ["tables_missing" | "tables_missing_more", Readonly<Record<string, string | number>>] {
  const shown = missing.slice(0, LIMITS.tablesMissingShown)
  const more = missing.length - shown.length
  const facts = { count: missing.length, missing: shown.join(", "), more }
  return [more > 0 ? "tables_missing_more" : "tables_missing", facts]
}

const RAN = "select name from mikro_orm_migrations where name = any ($1::text[])"

/** Of these migrations, those that Medusa has not run. */
async function missingIn(database: Database, needed: readonly string[]): Promise<string[]> {
  const ran = await rowsOf<{ name: string }>(database, RAN, [needed]).catch((error: unknown) => {
    // Medusa has run no migration of any module.
    if (stateOf(error) === UNDEFINED_TABLE) return []
    throw error
  })
  return needed.filter((name) => !ran.some((one) => one.name === name))
}

/**
 * Whether a statement may have failed because tables went away: a migration was taken back while
 * the store runs. Class 42 is what a statement names and the database has not; 23502 a column that
 * has to be filled.
 */
const isOfTables = (error: unknown) => /^42|^23502$/.test(stateOf(error))

const UNDEFINED_TABLE = "42P01"

/** The code by which Postgres says what is wrong; empty: it says none. */
function stateOf(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return ""
  return typeof error.code === "string" ? error.code : ""
}
