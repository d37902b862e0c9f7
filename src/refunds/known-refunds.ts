import type { Operation } from "../core/operation"
import type { FlowDeps } from "../engine/deps"
import type { HostRefundKey } from "../engine/host"
import type { Known } from "./rules/refund-books"
import { findRefundsOfHost } from "./sql/find-refunds"

/**
 * What Medusa holds of all refunds of a payment, and what the ledger does; undefined: it is gone.
 */
export async function knownOf(
  deps: Pick<FlowDeps, "host" | "database">,
  key: HostRefundKey,
): Promise<Known | undefined> {
  // Medusa's books first: a row that is bound in between is known then.
  const books = await deps.host.refundBooks(key)
  return books && { books, refunds: await findRefundsOfHost(deps.database, key.collectionId) }
}

export function hostKeyOf(refund: Operation): HostRefundKey {
  return {
    hostRefundId: refund.hostRefundId,
    collectionId: refund.paymentCollectionId,
    sessionId: refund.paymentSessionId,
    providerId: refund.providerId,
  }
}
