/**
 * Finds, every quarter of an hour, what no other part of the plugin notices: operations that lost
 * the moment of their next check, payments whose session is gone, refunds in Medusa's records that
 * were never sent, sources left open at the gateway, money that came twice on one source, orders
 * that a completion left behind.
 */
import { errorText } from "../core/error-text"
import { LIMITS } from "../core/limits"
import { sentence } from "../core/messages"
import { isOfMedusa, type MedusaOperation, isPage, isSessionFor } from "../core/operation"
import { advanceOperation } from "../ledger/advance-operation"
import type { Account } from "../ledger/accounts/find-accounts"
import { databaseFault, isAway } from "../ledger/database-error"
import type { FlowDeps } from "../engine/deps"
import type { MedusaSuspect } from "../engine/medusa-port"
import { persist } from "../engine/persist"
import { sweepStrayOrders } from "../orders/stray-orders"
import { rebindOperation } from "../checkout/sql/rebind-operation"
import { knownOf, repairRecords } from "../refunds/deliver-refund-to-medusa"
import { decideSweep, hasRemovals, isCounted } from "../refunds/rules/decide-delivery"
import { findCollectedFor } from "../refunds/sql/find-refunds"
import { askPaidOtherwise } from "./ask-paid-otherwise"
import { closeListedSources } from "./close-listed-sources"
import { listSources } from "./list-sources"
import { apart, runTask, type Keep } from "./run-task"
import { findInState, logUnreadable } from "./sql/find-for-period"
import { wakeForgotten, wakeOperation } from "./sql/wake-operations"

/** @returns false when the task is not due, or another worker runs it */
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
    () => askPaidOtherwise(deps, keep),
    () => sweepStrayOrders(deps, LIMITS.strayOrdersSweptMs, keep),
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
        `merchant payments: ${id} is ${state}, and nothing would have checked it again; due now`,
      )
    }
    if (woken.length < LIMITS.upkeepRowsMax) return
  }
}

/**
 * Finds payments whose session Medusa has deleted. Medusa does not report that: `deletePayment`
 * gets the session's public data only, and no id of ours. So the ledger is compared with Medusa's
 * table.
 */
async function leaveGoneSessions(deps: FlowDeps, keep: Keep): Promise<void> {
  for (const state of ["drafted", "submitted", "in_flight"] as const) {
    for await (const found of findInState(deps.database, state, logUnreadable(deps))) {
      const page = found.filter(isOfMedusa)
      const sessionIds = page.map(({ paymentSessionId }) => paymentSessionId)
      const gone = new Set(await deps.medusa.goneSessions(sessionIds, LIMITS.sessionGoneAfterMs))
      for (const one of page) if (gone.has(one.paymentSessionId)) await leave(deps, one)
      await keep()
    }
  }
}

/**
 * An equal session in place of the deleted one takes the operation over. Else the check that is
 * made due ends a draft or closes a payment page. A prompt on a phone can't be taken back: it is
 * still watched, and its money is held under review.
 */
async function leave(deps: FlowDeps, operation: MedusaOperation): Promise<void> {
  const { paymentCollectionId, providerId } = operation
  const record = await deps.medusa.record(paymentCollectionId, providerId)
  const heir = record.sessions.find((session) => isSessionFor(operation, session))
  if (heir) {
    await rebindOperation(deps.database, operation, heir.id)
    return
  }
  if (operation.state === "drafted") {
    // If a `start` holds the operation's lease, the check waits until the lease ends.
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
    const open = await listSources(deps, gateway, account, account.sourceKind, status)
    if (!open) return
    await closeListedSources(deps, gateway, account, open, keep)
  }
}

/**
 * Removes Medusa's records of refunds that never were: the row of a process that died before it
 * asked us, a transaction whose row is gone, what cancelling an order wrote for a refused refund. A
 * row that has its own transaction is left: the reconciliation lists it as `refund_unknown`.
 *
 * Reads all pages: a refund by cancelling an order seems wrong for days, and must not hide the
 * payments after it. Nor must a refund that can't be put right in Medusa.
 */
export async function sweepRefunds(deps: FlowDeps, keep: Keep): Promise<void> {
  const since = new Date(deps.clock.now().getTime() - LIMITS.refundRowsSweptMs)
  const limit = LIMITS.upkeepRowsMax
  let after: MedusaSuspect | undefined
  do {
    const page = await deps.medusa.suspectRefunds({ since, after, limit })
    for (const suspect of page) {
      await sweepSuspect(deps, suspect)
      await keep()
    }
    after = page.length < limit ? undefined : page.at(-1)
  } while (after)
}

async function sweepSuspect(deps: FlowDeps, suspect: MedusaSuspect): Promise<void> {
  try {
    await sweepPayment(deps, suspect)
  } catch (error) {
    if (isAway(databaseFault(error))) throw error
    deps.logger.error(
      `merchant payments: Medusa's refunds of ${suspect.paymentId} could not be put right: ` +
        errorText(error),
    )
  }
}

async function sweepPayment(deps: FlowDeps, suspect: MedusaSuspect): Promise<void> {
  const collected = await findCollectedFor(deps.database, suspect.sessionId)
  const [payment] = collected.filter(({ providerId }) => providerId === suspect.providerId)
  const known = payment && (await knownOf(deps, { ...suspect, medusaRefundId: null }))
  if (!known || known.records.paymentId !== suspect.paymentId) return
  const repair = decideSweep(payment.amount.currency, known)
  if (!hasRemovals(repair) && isCounted(known.records)) return
  await repairRecords(deps.medusa, suspect.paymentCollectionId, known.records, repair)
  const code = hasRemovals(repair) ? "refunds_removed" : "refunds_recounted"
  deps.logger.error(`merchant payments: ${payment.id}: ${sentence("event", code)}`)
  await persist(deps.database, payment, {
    event: { note: "records_repaired" },
    code,
    facts: { rows: repair.rowIds, transactions: repair.transactionIds },
  })
}
