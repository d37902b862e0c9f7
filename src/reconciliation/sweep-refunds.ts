/**
 * Removes Medusa's records of refunds that never were: the row of a process that died before it
 * asked us, a transaction whose row is gone, what cancelling an order wrote for a refused refund.
 * No refund of the ledger leads there.
 *
 * A row that has its own transaction is left: it is `refund_unknown` to the reconciliation.
 */
import { errorText } from "../core/error-text"
import { LIMITS } from "../core/limits"
import { sentence } from "../core/messages"
import type { Operation } from "../core/operation"
import { databaseFault, isAway } from "../ledger/database-error"
import type { FlowDeps } from "../engine/deps"
import type { HostSuspect } from "../engine/host"
import { persist } from "../engine/persist"
import { knownOf, repairRecords } from "../refunds/record-refund"
import { decideSweep, hasRemovals, isCounted, type Repair } from "../refunds/rules/refund-repair"
import { findBoundRows, findCollectedFor } from "../refunds/sql/find-refunds"
import type { Keep } from "./run-task"

/**
 * Reads all pages: a refund by cancelling an order looks suspicious for days, and must not hide the
 * payments after it. Nor must one that Medusa can't put right.
 */
export async function sweepRefunds(deps: FlowDeps, keep: Keep): Promise<void> {
  const since = new Date(deps.clock.now().getTime() - LIMITS.refundRowsSweptMs)
  const limit = LIMITS.upkeepRowsMax
  let after: HostSuspect | undefined
  do {
    const page = await deps.host.suspectRefunds({ since, after, limit })
    await sweepPage(deps, page, keep)
    after = page.length < limit ? undefined : page.at(-1)
  } while (after)
}

async function sweepPage(
  deps: FlowDeps,
  suspects: readonly HostSuspect[],
  keep: Keep,
): Promise<void> {
  const rowIds = suspects.flatMap(({ hostRefundId }) => hostRefundId ?? [])
  const bound = await findBoundRows(deps.database, rowIds)
  const open = suspects.filter(({ hostRefundId }) => !bound.has(hostRefundId ?? ""))
  const byPayment = new Map(open.map((suspect) => [suspect.paymentId, suspect]))
  for (const suspect of byPayment.values()) {
    try {
      await sweepPayment(deps, suspect)
    } catch (error) {
      if (isAway(databaseFault(error))) throw error
      deps.logger.error(
        `merchant payments: Medusa's refunds of ${suspect.paymentId} could not be put right: ` +
          errorText(error),
      )
    }
    await keep()
  }
}

async function sweepPayment(deps: FlowDeps, suspect: HostSuspect): Promise<void> {
  const collected = await findCollectedFor(deps.database, suspect.sessionId)
  const [payment] = collected.filter(({ providerId }) => providerId === suspect.providerId)
  const known = payment && (await knownOf(deps, suspect))
  if (!known || known.records.paymentId !== suspect.paymentId) return
  const repair = decideSweep(payment.amount.currency, known)
  if (!hasRemovals(repair) && isCounted(known.records)) return
  await repairRecords(deps.host, suspect.collectionId, known.records, repair)
  await say(deps, payment, repair)
}

async function say(deps: FlowDeps, payment: Operation, repair: Repair): Promise<void> {
  const code = hasRemovals(repair) ? "refunds_removed" : "refunds_recounted"
  deps.logger.error(`merchant payments: ${payment.id}: ${sentence("event", code)}`)
  const { rowIds, transactionIds } = repair
  await persist(deps.database, payment, {
    event: { note: "records_repaired" },
    code,
    facts: { rows: rowIds, transactions: transactionIds },
  })
}
