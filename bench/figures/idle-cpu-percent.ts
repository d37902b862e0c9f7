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
import { inWorld, type World } from "../support/world"

const LIMIT_PERCENT = 1
const WINDOWS = 3
const WINDOW_MS = 20_000
/** A store goes on compiling and clearing up for a while after it has started. */
const SETTLE_MS = 30_000
/** The job looks every second; Postgres tells of it a second later at most. */
const LOOKS_WITHIN_MS = 5_000

export const idleCpuPercent: Benchmark = {
  name: "idle_cpu_percent",
  on: "store",
  run: (ground) =>
    inWorld(ground, {}, (on) =>
      inWorld(ground, { directory: storeWithoutJobs(ground) }, (off) => measure(on, off)),
    ),
}

async function measure(on: World, off: World): Promise<Figure> {
  await pause(SETTLE_MS)
  await assertOnlyOneLooks(on, off)
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

async function oneWindow(on: World, off: World): Promise<{ on: number; off: number }> {
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
 * The comparison says nothing unless the one store looks for due payments and the other does not.
 */
async function assertOnlyOneLooks(on: World, off: World): Promise<void> {
  const before = await Promise.all([looksOf(on), looksOf(off)])
  await pause(LOOKS_WITHIN_MS)
  const after = await Promise.all([looksOf(on), looksOf(off)])
  const [onLooks, offLooks] = after.map((findings, store) => findings - (before[store] ?? 0))
  if (!onLooks || offLooks !== 0) {
    throw new Error(`With its job the store looked ${onLooks} times, without it ${offLooks} times.`)
  }
}

/** How often the ledger's table was read since the database was made. */
async function looksOf({ databaseUrl }: World): Promise<number> {
  const rows = await query<{ findings: number }>(
    databaseUrl,
    `select (coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::int as looks
       from pg_stat_user_tables where relname = 'mp_operation'`,
  )
  return rows[0]?.findings ?? 0
}
