/**
 * What a store in which nobody pays sends its database: the transactions of a store with the plugin,
 * less those of the same store whose copy of the plugin lacks its jobs and their clock. So what
 * Medusa's engine writes about each run of a schedule counts, too.
 */
import { setTimeout as pause } from "node:timers/promises"
import type { Benchmark, Figure } from "../figure"
import { query } from "../support/database"
import { inHarness, type Harness } from "../support/harness"
import { median } from "../support/statistics"
import { storeWithoutJobs } from "../support/store-without-jobs"

const LIMIT = 100
const WINDOWS = 3
/** Medusa's schedule runs once in it. */
const WINDOW_MS = 60_000
/** The tasks of the day are done, and the tables known. */
const SETTLE_MS = 60_000

export const idleTransactions: Benchmark = {
  name: "idle_transactions",
  on: "store",
  run: (fixture) =>
    inHarness(fixture, {}, (on) =>
      inHarness(fixture, { directory: storeWithoutJobs(fixture) }, (off) => measure(on, off)),
    ),
}

async function measure(on: Harness, off: Harness): Promise<Figure> {
  await pause(SETTLE_MS)
  const minutes: { readonly on: number; readonly off: number }[] = []
  for (let window = 0; window < WINDOWS; window += 1) minutes.push(await oneMinute(on, off))
  const differences = minutes.map((minute) => minute.on - minute.off)
  return {
    value: median(differences),
    unit: "a minute",
    better: "lower",
    against: "the same store without the jobs, beside it",
    limit: LIMIT,
    samples: WINDOWS,
    differences,
    on: median(minutes.map((minute) => minute.on)),
    off: median(minutes.map((minute) => minute.off)),
  }
}

async function oneMinute(on: Harness, off: Harness): Promise<{ on: number; off: number }> {
  const stores = [on, off]
  const before = await Promise.all(stores.map(transactionsOf))
  await pause(WINDOW_MS)
  const after = await Promise.all(stores.map(transactionsOf))
  const [onCount = Number.NaN, offCount = Number.NaN] = after.map(
    (count, store) => count - (before[store] ?? Number.NaN),
  )
  return { on: onCount, off: offCount }
}

/** Since the database was made; the question itself is one of them in both. */
async function transactionsOf({ databaseUrl }: Harness): Promise<number> {
  const [row] = await query<{ n: number }>(
    databaseUrl,
    `select (xact_commit + xact_rollback)::int as n from pg_stat_database
      where datname = current_database()`,
  )
  return row?.n ?? Number.NaN
}
