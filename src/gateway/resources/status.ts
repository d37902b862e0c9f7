import type { Call, Method } from "../call"
import type { Execution } from "../wire/execution"
import { collectionStatus, payoutStatus, refundStatus, transferStatus } from "../wire/executions"
import { sourceStatus } from "../wire/status"
import type { SourceStatus, SourceStatusRequest } from "../wire/status"

/**
 * What became of a movement of money. The gateway sends no webhooks: these reads are the only proof
 * (contract, 13). Ask every 2 to 5 seconds at first, then slower, never several times a second.
 *
 * `COMPLETED` and `FAILED` are final; every other value, unknown ones included, is in flight.
 */
export type Status = {
  /**
   * What became of a collection, by the reference that it was executed under. `NotFound`: the
   * gateway does not know the reference, which right after a lost answer is weak proof (contract, 5
   * and 7).
   */
  readonly collection: Method<string, Execution>
  /** As {@link Status.collection} (contract, 5, 7 and 15). */
  readonly payout: Method<string, Execution>
  /** As {@link Status.collection} (contract, 5, 7 and 15). */
  readonly transfer: Method<string, Execution>
  /** As {@link Status.collection}, by the refund's own reference (contract, 3, 5 and 7). */
  readonly refund: Method<string, Execution>
  /**
   * The state of an invoice or order. `PAID` proves a payment on the hosted page (contract, 2a, 5).
   */
  readonly source: Method<SourceStatusRequest, SourceStatus>
}

export const statusOf = (call: Call): Status => ({
  collection: (referenceId, options) => call(collectionStatus, { referenceId }, options),
  payout: (referenceId, options) => call(payoutStatus, { referenceId }, options),
  transfer: (referenceId, options) => call(transferStatus, { referenceId }, options),
  refund: (referenceId, options) => call(refundStatus, { referenceId }, options),
  source: (request, options) => call(sourceStatus, request, options),
})
