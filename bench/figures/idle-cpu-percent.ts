/**
 * What the job costs a store in which nobody pays: a store with the plugin, minus the same store
 * whose copy of the plugin lacks the folder of jobs. Both run side by side and are measured in the
 * same windows, so that a busy machine disturbs both alike.
 */
import { setTimeout as pause } from "node:timers/promises"
import type { Benchmark, Figure } from "../figure"
import { query } from "../support/database"
import { median, sum } from "../support/statistics"
import { storeWithoutJobs } from "../support/store-without-jobs"
import { inHarness, type Harness } from "../support/harness"

const LIMIT_PERCENT = 1
const WINDOWS = 3
const WINDOW_MS = 20_000
/** A store goes on compiling and clearing up for a while after it has started. */
const SETTLE_MS = 30_000
/** The job runs every second; Postgres tells of it a second later at most. */
const CHECKS_WITHIN_MS = 5_000

export const idleCpuPercent: Benchmark = {
  name: "idle_cpu_percent",
  on: "store",
  run: (fixture) =>
    inHarness(fixture, {}, (on) =>
      inHarness(fixture, { directory: storeWithoutJobs(fixture) }, (off) => measure(on, off)),
    ),
}

async function measure(on: Harness, off: Harness): Promise<Figure> {
  await pause(SETTLE_MS)
  await assertOnlyOneChecks(on, off)
  await on.simulator.resetCalls()
  const percents: { readonly on: number; readonly off: number }[] = []
  for (let window = 0; window < WINDOWS; window += 1) percents.push(await oneWindow(on, off))
  const differences = percents.map((percent) => percent.on - percent.off)
  return {
    value: median(differences),
    unit: "% of one core",
    better: "lower",
    against: "the same store without the job, beside it",
    limit: LIMIT_PERCENT,
    samples: WINDOWS,
    differences,
    on: median(percents.map((percent) => percent.on)),
    off: median(percents.map((percent) => percent.off)),
    window_ms: WINDOW_MS,
    gateway_calls: sum(Object.values(await on.simulator.calls())),
    gateway_calls_limit: 0,
  }
}

async function oneWindow(on: Harness, off: Harness): Promise<{ on: number; off: number }> {
  const stores = [on.store, off.store]
  const before = await Promise.all(stores.map((store) => store.cpuMs({ collected: true })))
  const since = performance.now()
  await pause(WINDOW_MS)
  const after = await Promise.all(stores.map((store) => store.cpuMs()))
  const elapsedMs = performance.now() - since
  const [onPercent = Number.NaN, offPercent = Number.NaN] = after.map(
    (cpuMs, store) => ((cpuMs - (before[store] ?? Number.NaN)) / elapsedMs) * 100,
  )
  return { on: onPercent, off: offPercent }
}

/**
 * The comparison says nothing unless the one store checks for due payments and the other does not.
 */
async function assertOnlyOneChecks(on: Harness, off: Harness): Promise<void> {
  const before = await Promise.all([checksOf(on), checksOf(off)])
  await pause(CHECKS_WITHIN_MS)
  const after = await Promise.all([checksOf(on), checksOf(off)])
  const [onChecks, offChecks] = after.map((checks, store) => checks - (before[store] ?? 0))
  if (!onChecks || offChecks !== 0) {
    throw new Error(
      `With its job the store checked ${onChecks} times, without it ${offChecks} times.`,
    )
  }
}

/** How often the ledger's table was read since the database was made. */
async function checksOf({ databaseUrl }: Harness): Promise<number> {
  const rows = await query<{ checks: number }>(
    databaseUrl,
    `select (coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::int as checks
       from pg_stat_user_tables where relname = 'mp_operation'`,
  )
  return rows[0]?.checks ?? 0
}
