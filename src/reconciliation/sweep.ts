/**
 * What nobody else would notice, looked for every quarter of an hour: operations that lost the
 * moment of their next check, payments whose session is gone, refunds in Medusa's records that were
 * never sent, documents left open at the gateway. One part that fails does not keep the others from
 * their turn.
 */
import { LIMITS } from "../core/limits"
import type { Account } from "../ledger/accounts/find-accounts"
import type { FlowDeps } from "../engine/deps"
import { closeDocuments } from "./close-documents"
import { leaveGoneSessions } from "./leave-gone-sessions"
import { listDocuments } from "./list-documents"
import { apart, runTask, type Keep } from "./run-task"
import { wakeForgotten } from "./sql/wake-operations"
import { sweepRefunds } from "./sweep-refunds"

/** @returns false when it is not due, or another worker is at it */
export async function sweepWhenDue(deps: FlowDeps, signal?: AbortSignal): Promise<boolean> {
  const work = async (keep: Keep) => {
    await sweep(deps, keep)
    return { inMs: LIMITS.reconcileEveryMs }
  }
  return runTask(deps, "sweep", work, signal)
}

export async function sweep(deps: FlowDeps, keep: Keep): Promise<void> {
  const parts: readonly (() => Promise<unknown>)[] = [
    () => wakeAllForgotten(deps),
    () => leaveGoneSessions(deps, keep),
    () => sweepRefunds(deps, keep),
    () => closeLeftOpen(deps, keep),
  ]
  for (const part of parts) {
    await apart(deps, "a part of the sweep", part)
    await keep()
  }
}

async function wakeAllForgotten(deps: FlowDeps): Promise<void> {
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

async function closeLeftOpen(deps: FlowDeps, keep: Keep): Promise<void> {
  for (const account of await deps.accounts()) {
    await apart(deps, `closing what ${account.id} left open`, () => closeOf(deps, account, keep))
  }
}

async function closeOf(deps: FlowDeps, account: Account, keep: Keep): Promise<void> {
  const gateway = deps.gatewayOf(account)
  if (!gateway) return
  for (const status of ["ACTIVE", "IDLE"] as const) {
    await keep()
    const open = await listDocuments(deps, gateway, account, account.sourceType, { status })
    if (!open || open === "too_long") return
    await closeDocuments(deps, gateway, account, open, keep)
  }
}
