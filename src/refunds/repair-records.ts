/** Medusa's records of a payment's refunds: read beside the ledger's refunds, and repaired. */
import type { RefundRecords } from "../core/host-records"
import type { Operation } from "../core/operation"
import type { FlowDeps } from "../engine/deps"
import type { HostRefundKey, HostRefundRecords } from "../engine/host"
import type { Known } from "./rules/refund-records"
import type { Repair } from "./rules/refund-repair"
import { findRefundsOfHost } from "./sql/find-refunds"

/**
 * What Medusa holds of all refunds of a payment, and what the ledger does; undefined: it is gone.
 */
export async function knownOf(
  deps: Pick<FlowDeps, "host" | "database">,
  key: HostRefundKey,
): Promise<Known | undefined> {
  // Medusa's records first: a row that is bound in between is known then.
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
 * Each step does nothing a second time: a process that dies between two is followed by one that
 * judges again. The credit line goes first, while its transaction still tells which one it is. A
 * transaction is added last, as the refund counts as shown by it. The rows go last of all: as long
 * as one stands, Medusa lets nobody refund the same money again, and the sweep finds what a process
 * has died over.
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
