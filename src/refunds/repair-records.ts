/** Medusa's records of a payment's refunds: read beside the ledger's refunds, and repaired. */
import { errorText } from "../core/error-text"
import type { RefundRecords } from "../core/host-records"
import { LIMITS } from "../core/limits"
import type { Operation } from "../core/operation"
import type { FlowDeps, LedgerDeps } from "../engine/deps"
import type { HostRefundKey, HostRefundRecords } from "../engine/host"
import { persist } from "../engine/persist"
import type { Known } from "./rules/refund-records"
import type { Repair } from "./rules/refund-repair"
import { findRefundsOfHost } from "./sql/find-refunds"

/** All refunds of a payment in Medusa and in the ledger; undefined: Medusa has no such payment. */
export async function knownOf(
  deps: Pick<FlowDeps, "host" | "database">,
  key: HostRefundKey,
): Promise<Known | undefined> {
  // Medusa's records first: the ledger then knows a row that is bound in between.
  const records = await deps.host.refundRecords(key)
  return records && { records, refunds: await findRefundsOfHost(deps.database, key.collectionId) }
}

export function hostKeyOf(refund: Operation): HostRefundKey {
  return {
    hostRefundId: refund.hostRefundId,
    collectionId: refund.paymentCollectionId,
    sessionId: refund.paymentSessionId,
    providerId: refund.providerId,
  }
}

/**
 * Each step can be repeated: after a process that dies between two, the next one judges again. The
 * credit line goes first, while its transaction still identifies it. A transaction is added last,
 * because the refund counts as shown by it.
 *
 * The rows go last of all: while one stands, Medusa refunds the same money to no admin again, and
 * the sweep finds what a dead process has left.
 */
export async function repairRecords(
  host: HostRefundRecords,
  collectionId: string,
  { order, isCollectionCounted }: RefundRecords,
  { creditLineIds, transactionIds, rowIds, added }: Repair,
): Promise<void> {
  if (creditLineIds.length > 0) await host.removeCreditLines(creditLineIds)
  if (transactionIds.length > 0) await host.removeRefundTransactions(transactionIds)
  if (order) {
    const isChanged = creditLineIds.length + transactionIds.length > 0 || added !== null
    const written = added && { orderId: order.id, rowId: added.rowId, amount: added.amount }
    if (written && added.isLineMissing) {
      await host.addCreditLine({ ...written, isInTransactions: added.isInTransactions })
    }
    if (isChanged || !order.isCounted) await host.recountOrder(order.id)
    if (written && !added.isInTransactions) await host.addRefundTransaction(written)
  }
  if (rowIds.length > 0 || added !== null || !isCollectionCounted) {
    await host.recountCollection(collectionId, rowIds)
  }
  if (rowIds.length > 0) await host.removeRefunds(rowIds)
}

/**
 * Medusa refused: tried again for ever, with an error in the log once the quick tries are used up.
 *
 * @param words withinMs: the gateway is to be asked by then
 */
export async function retryRecords(
  { database, logger }: LedgerDeps,
  refund: Operation,
  error: unknown,
  words: { readonly says: string; readonly note: string; readonly withinMs?: number },
): Promise<void> {
  const { says, note, withinMs = Infinity } = words
  const tries = refund.settleAttempts + 1
  const inMs = LIMITS.settleRetryMs[refund.settleAttempts]
  const detail = errorText(error)
  const text = `merchant payments: the refund ${refund.id} ${says} (${tries} tries): ${detail}`
  if (inMs === undefined) logger.error(text)
  else logger.warn(text)
  await persist(database, refund, {
    event: { note },
    code: "medusa_refused",
    facts: { tries, detail },
    changes: { settleAttempts: tries },
    next: { inMs: Math.min(inMs ?? LIMITS.refundHostSlowRetryMs, withinMs) },
    lease: "release",
  })
}
