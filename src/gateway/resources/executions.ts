import type { CallOptions } from "../call-options"
import type { Call } from "../call"
import type { Outcome } from "../outcome"
import type { Execution } from "../wire/execution"
import {
  executeCollection,
  executePayout,
  executeRefund,
  executeTransfer,
} from "../wire/executions"
import type {
  ExecuteCollectionRequest,
  ExecutePayoutRequest,
  ExecuteRefundRequest,
  ExecuteTransferRequest,
} from "../wire/executions"

/**
 * The calls that move money. Each is sent once and never repeated by the client. `done` says that
 * the gateway accepted it, not that the money moved: follow the status of the same kind.
 *
 * The `referenceId` is a UUID v4, stored before the call; it decides what happened (contract, 7).
 * After `unknown` ask for the status under it. An answer under another reference or of another kind
 * is `unknown` too.
 */
export type Executions = {
  /**
   * Collects from a payer. `done` says that the gateway accepted it, not that it is paid: follow
   * {@link Status.collection}. After `unknown` ask there, under the same reference.
   *
   * @returns `refused` with `Invalid`: the session is over, the account is not the party's, or the
   * reference was used for another payment
   * @see specification, "Idempotency rules for executions"; contract, 2b and 7
   */
  collection(request: ExecuteCollectionRequest, options?: CallOptions): Promise<Outcome<Execution>>
  /**
   * Pays a recipient, with the merchant's passcode. Follow {@link Status.payout}.
   *
   * @param request the account of the session once more, and the passcode, which is in no error
   * @returns `refused` with `Invalid`: the session is over, the passcode is wrong, the wallet does
   * not allow it, or the reference was used for another payout; with `Forbidden` before
   * verification
   * @see specification, "Idempotency rules for executions"; contract, 7 and 15
   */
  payout(request: ExecutePayoutRequest, options?: CallOptions): Promise<Outcome<Execution>>
  /**
   * Runs a transfer session between platform wallets. Follow {@link Status.transfer}.
   *
   * @returns `refused` with `Invalid`: the session is over or the reference was used for another
   * transfer; with `Forbidden` before verification
   * @see specification, "Idempotency rules for executions"; contract, 7 and 15
   */
  transfer(request: ExecuteTransferRequest, options?: CallOptions): Promise<Outcome<Execution>>
  /**
   * Runs a refund session, under a new reference of its own. Follow {@link Status.refund}.
   *
   * @returns `refused` with `Invalid`: the session is over, the balance does not cover it, or the
   * reference was used before; with `Forbidden` before verification
   * @see specification, "Idempotency rules for executions"; contract, 3 and 7
   */
  refund(request: ExecuteRefundRequest, options?: CallOptions): Promise<Outcome<Execution>>
}

export const executionsOf = (call: Call): Executions => ({
  collection: (request, options) => call(executeCollection, request, options),
  payout: (request, options) => call(executePayout, request, options),
  transfer: (request, options) => call(executeTransfer, request, options),
  refund: (request, options) => call(executeRefund, request, options),
})
