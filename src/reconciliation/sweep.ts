/**
 * Finds, every quarter of an hour, what no other part of the plugin notices: operations that lost
 * the moment of their next check, payments whose session is gone, refunds in Medusa's records that
 * were never sent, documents left open at the gateway.
 */
import { LIMITS } from "../core/limits"
import { isPage, isSessionFor, type Operation } from "../core/operation"
import { advanceOperation } from "../ledger/advance-operation"
import type { Account } from "../ledger/accounts/find-accounts"
import type { FlowDeps } from "../engine/deps"
import { rebindOperation } from "../checkout/sql/rebind-operation"
import { closeDocuments } from "./close-documents"
import { listDocuments } from "./list-documents"
import { apart, runTask, type Keep } from "./run-task"
import { findInState, logUnreadable } from "./sql/find-for-period"
import { wakeForgotten, wakeOperation } from "./sql/wake-operations"
import { sweepRefunds } from "./sweep-refunds"

/** @returns false when it is not due, or another worker is at it */
export function sweepWhenDue(deps: FlowDeps, signal?: AbortSignal): Promise<boolean> {
  return runTask(deps, "sweep", signal, async (keep) => {
    await sweep(deps, keep)
    return { inMs: LIMITS.reconcileEveryMs }
  })
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

/**
 * Payments whose session Medusa has deleted. Medusa does not report it: `deletePayment` gets the
 * session's public data only, and no id of ours. So the ledger is compared with Medusa's table.
 */
async function leaveGoneSessions(deps: FlowDeps, keep: Keep): Promise<void> {
  for (const state of ["drafted", "submitted", "in_flight"] as const) {
    for await (const page of findInState(deps.database, state, logUnreadable(deps))) {
      const sessionIds = page.map(({ paymentSessionId }) => paymentSessionId)
      const gone = new Set(await deps.host.goneSessions(sessionIds, LIMITS.sessionGoneAfterMs))
      for (const one of page) if (gone.has(one.paymentSessionId)) await leave(deps, one)
      await keep()
    }
  }
}

/**
 * An equal session in its place is followed. Else a draft ends, and a payment page is closed, by
 * the check that this makes due. A prompt on a phone can't be taken back: it is still watched, and
 * its money is held under review.
 */
async function leave(deps: FlowDeps, operation: Operation): Promise<void> {
  const { paymentCollectionId, providerId } = operation
  const record = await deps.host.record(paymentCollectionId, providerId)
  const heir = record.sessions.find((session) => isSessionFor(operation, session))
  if (heir) {
    await rebindOperation(deps.database, operation, heir.id)
    return
  }
  if (operation.state === "drafted") {
    // A `start` at work holds its lease; the check comes after it.
    await wakeOperation(deps.database, operation.id)
    return
  }
  if (!isPage(operation) || operation.closing !== null || operation.leaseToken !== null) return
  await advanceOperation(deps.database, operation, {
    event: { note: "session_gone" },
    code: "session_deleted",
    changes: { closing: "canceled" },
    next: { inMs: 0 },
  })
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
    const open = await listDocuments(deps, gateway, account, account.sourceType, status)
    if (!open || open === "too_long") return
    await closeDocuments(deps, gateway, account, open, keep)
  }
}
