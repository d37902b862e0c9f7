/**
 * What nobody else would notice, looked for every quarter of an hour: operations that lost the moment of
 * their next look, payments whose session is gone, refunds in Medusa's books that nobody has sent,
 * documents left open at the gateway. One part that fails does not keep the others from their turn.
 */
import { errorText } from "../../core/error-text"
import { LIMITS } from "../../core/limits"
import { databaseFault, isAway } from "../../ledger/database-error"
import { wakeForgotten, wakeUnclosed } from "../../ledger/wake-operations"
import { mendRefundBooks } from "../refund/mend-refund-books"
import { closeDocuments } from "./close-documents"
import type { ReconcileDeps } from "./host"
import { leaveGoneSessions } from "./leave-gone-sessions"
import { listDocuments } from "./list-documents"
import { runTask, TaskLost, type Keep } from "./run-task"

/** @returns false when it is not due, or another worker is at it */
export async function sweepWhenDue(deps: ReconcileDeps, signal?: AbortSignal): Promise<boolean> {
  const work = async (keep: Keep) => {
    await sweep(deps, keep)
    return { inMs: LIMITS.reconcileEveryMs }
  }
  return runTask(deps, "sweep", work, signal)
}

export async function sweep(deps: ReconcileDeps, keep: Keep): Promise<void> {
  const parts = [
    () => wakeAllForgotten(deps),
    () => wakeUnclosed(deps.database, LIMITS.upkeepRowsMax),
    () => leaveGoneSessions(deps, keep),
    () => mendRefundBooks(deps, keep),
    () => closeLeftOpen(deps, keep),
  ]
  for (const part of parts) {
    try {
      await part()
      await keep()
    } catch (error) {
      if (error instanceof TaskLost || isAway(databaseFault(error))) throw error
      deps.logger.error(`merchant payments: a part of the sweep failed: ${errorText(error)}`)
    }
  }
}

async function wakeAllForgotten(deps: ReconcileDeps): Promise<void> {
  for (;;) {
    const woken = await wakeForgotten(deps.database, LIMITS.upkeepRowsMax)
    for (const { id, state } of woken) {
      deps.logger.error(
        `merchant payments: ${id} is ${state}, and nothing would have looked at it again; due now`,
      )
    }
    if (woken.length < LIMITS.upkeepRowsMax) return
  }
}

async function closeLeftOpen(deps: ReconcileDeps, keep: Keep): Promise<void> {
  for (const account of await deps.accounts()) {
    const gateway = deps.gatewayOf(account)
    if (!gateway) continue
    for (const status of ["ACTIVE", "IDLE"] as const) {
      await keep()
      const open = await listDocuments(deps, gateway, account, account.sourceType, { status })
      if (!open) break
      await closeDocuments(deps, gateway, account, open, keep)
    }
  }
}
