/**
 * Deletes, each night, what was kept for its time, such as the events of old payments and guests'
 * parties.
 */
import { LIMITS } from "../core/limits"
import { systemClock } from "../core/ports"
import type { FlowDeps, LedgerDeps } from "../engine/deps"
import { runTask, type Keep } from "./run-task"
import { prune, type Pruned } from "./sql/prune"

const KEPT: readonly (readonly [name: string, what: Pruned, keptForMs: number])[] = [
  ["operations' events", "events", LIMITS.eventsKeptForMs],
  ["guests' parties", "guestParties", LIMITS.guestPartiesKeptForMs],
  ["payers' numbers", "payers", LIMITS.payersKeptForMs],
  ["reconciliations", "reconciliations", LIMITS.reconciliationsKeptForMs],
  ["counts of starts", "buckets", 0],
  ["starts", "starts", LIMITS.startsKeptForMs],
  ["tokens", "tokens", LIMITS.tokensKeptForMs],
  ["links of receipts", "receiptLinks", LIMITS.receiptLinksKeptForMs],
  ["secrets of requests", "secretsOfRequests", LIMITS.secondAdminWithinMs],
  ["forms of answers", "forms", LIMITS.gatewayFormKeptMs],
  ["notifications", "notifications", LIMITS.notificationsKeptForMs],
  ["changes of notifications", "notificationChanges", LIMITS.eventsKeptForMs],
  ["changes of payment methods", "methodEvents", LIMITS.notificationsKeptForMs],
]

type Around = LedgerDeps & Partial<Pick<FlowDeps, "clock">>

/** @returns false when the task is not due, or another worker runs it */
export function retainWhenDue(deps: Around, signal?: AbortSignal): Promise<boolean> {
  return runTask(deps, "retain", signal, async (keep) => {
    await retain(deps, keep)
    return { atUtcHour: LIMITS.reconcileAtUtcHour }
  })
}

/** Each kind in small statements until nothing is left of it, or the night is over. */
export async function retain(
  { database, logger, clock = systemClock }: Around,
  keep: Keep,
): Promise<void> {
  const endMs = clock.monotonicMs() + LIMITS.pruneWithinMs
  for (const [name, what, keptForMs] of KEPT) {
    let pruned = 0
    for (let isMore = true; isMore && clock.monotonicMs() < endMs;) {
      await keep()
      const taken = await prune(database, what, { keptForMs, limit: LIMITS.upkeepRowsMax })
      pruned += taken
      isMore = taken === LIMITS.upkeepRowsMax
    }
    if (pruned > 0) logger.info(`merchant payments: ${pruned} ${name} were kept for their time`)
  }
}
