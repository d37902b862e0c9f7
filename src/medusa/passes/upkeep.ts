import { LIMITS } from "../../core/limits"
import { systemClock } from "../../core/ports"
import type { FlowDeps } from "../../engine/deps"
import { perStore } from "../../ledger/per-store"
import { compareLostTimeWhenDue } from "../../reconciliation/compare-lost-time"
import { reconcileWhenDue } from "../../reconciliation/reconcile"
import { retainWhenDue } from "../../reconciliation/retain"
import { sweepWhenDue } from "../../reconciliation/sweep"
import { askQuietAccounts } from "../../accounts/ask-quiet-accounts"
import { processAlarm } from "../../accounts/read-health"
import { accountsFrom, flowsFrom, workIn } from "../wiring/flows-from"
import { steadyPass } from "../../worker/steady-pass"
import { job } from "./job"

type Task = (deps: FlowDeps, signal: AbortSignal) => Promise<unknown>

const TASKS: readonly (readonly [name: string, task: Task])[] = [
  ["sweep", sweepWhenDue],
  ["reconcile", reconcileWhenDue],
  ["lost time", compareLostTimeWhenDue],
  ["retain", retainWhenDue],
  ["accounts", askQuietAccounts],
]

const passOf = perStore(({ clock, random }: FlowDeps) => ({
  runs: TASKS.map(([name, task]) => ({ name, task, run: steadyPass(clock, random) })),
  alarm: processAlarm(),
}))
const ignored = (): void => undefined

/**
 * Each task but the last has its own schedule, and one worker does it while the others skip
 * it; each worker asks for quiet accounts by itself, because each has clients of its own. The tasks
 * do not wait for each other, and the job does not wait for them.
 */
export const upkeepJob = job(systemClock, LIMITS.upkeepEveryMs, async (container) => {
  const work = workIn(container)
  const deps = flowsFrom(container)
  const { runs, alarm } = passOf(deps)
  for (const { name, run, task } of runs) {
    work.begin(name, (signal) => run(deps.logger, () => task(deps, signal)))
  }
  const accounts = accountsFrom(container)
  // A rule that was dropped by hand fails no statement. What it logs is its result.
  await work.run(() => accounts.tables.missing().then(ignored, ignored))
  await work.run(() => alarm(accounts))
})
