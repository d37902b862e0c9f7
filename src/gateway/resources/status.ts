import type { CallOptions } from "../call-options"
import type { Call } from "../call"
import type { Outcome } from "../outcome"
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
   * What became of a collection, by the reference that it was executed under. `refused` with
   * `NotFound`: the gateway does not know the reference (yet: right after a lost answer that is
   * weak proof).
   *
   * @see contract, 5 and 7
   */
  collection(referenceId: string, options?: CallOptions): Promise<Outcome<Execution>>
  /**
   * What became of a payout; as {@link Status.collection}.
   *
   * @see contract, 5, 7 and 15
   */
  payout(referenceId: string, options?: CallOptions): Promise<Outcome<Execution>>
  /**
   * What became of a transfer; as {@link Status.collection}.
   *
   * @see contract, 5, 7 and 15
   */
  transfer(referenceId: string, options?: CallOptions): Promise<Outcome<Execution>>
  /**
   * What became of a refund, by the refund's own reference; as {@link Status.collection}.
   *
   * @see contract, 3, 5 and 7
   */
  refund(referenceId: string, options?: CallOptions): Promise<Outcome<Execution>>
  /**
   * The state of an invoice or order. `PAID` is the proof of a payment on the hosted page.
   *
   * @see contract, 2a and 5
   */
  source(request: SourceStatusRequest, options?: CallOptions): Promise<Outcome<SourceStatus>>
}

export const statusOf = (call: Call): Status => ({
  collection: (referenceId, options) => call(collectionStatus, { referenceId }, options),
  payout: (referenceId, options) => call(payoutStatus, { referenceId }, options),
  transfer: (referenceId, options) => call(transferStatus, { referenceId }, options),
  refund: (referenceId, options) => call(refundStatus, { referenceId }, options),
  source: (request, options) => call(sourceStatus, request, options),
})
