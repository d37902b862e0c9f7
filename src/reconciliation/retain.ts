/** Forgets, each night, what was kept for its time: the events of old payments, guests' parties. */
import { LIMITS } from "../core/limits"
import type { Database } from "../ledger/database"
import type { FlowDeps } from "../engine/deps"
import { runTask, type Again, type Keep } from "./run-task"
import { pruneBuckets, pruneEvents, pruneGuestParties, pruneReconciliations } from "./sql/prune"

type Prune = (
  database: Database,
  prune: { readonly keptForMs: number; readonly limit: number },
) => Promise<number>

const KEPT: readonly (readonly [what: string, prune: Prune, keptForMs: number])[] = [
  ["operations' events", pruneEvents, LIMITS.eventsKeptForMs],
  ["guests' parties", pruneGuestParties, LIMITS.guestPartiesKeptForMs],
  ["reconciliations", pruneReconciliations, LIMITS.reconciliationsKeptForMs],
  // A full bucket counts nothing.
  ["counts of starts", pruneBuckets, 0],
]

/** @returns false when it is not due, or another worker is at it */
export async function retainWhenDue(
  deps: Pick<FlowDeps, "database" | "logger">,
  signal?: AbortSignal,
): Promise<boolean> {
  const work = async (keep: Keep): Promise<Again> => {
    await retain(deps, keep)
    return { atUtcHour: LIMITS.reconcileAtUtcHour }
  }
  return runTask(deps, "retain", work, signal)
}

export async function retain(
  deps: Pick<FlowDeps, "database" | "logger">,
  keep: Keep,
): Promise<void> {
  for (const [what, prune, keptForMs] of KEPT) {
    let pruned = 0
    for (let isMore = true; isMore && pruned < LIMITS.prunedPerRunMax;) {
      await keep()
      const taken = await prune(deps.database, { keptForMs, limit: LIMITS.upkeepRowsMax })
      pruned += taken
      isMore = taken === LIMITS.upkeepRowsMax
    }
    if (pruned > 0)
      deps.logger.info(`merchant payments: ${pruned} ${what} were kept for their time`)
  }
}
