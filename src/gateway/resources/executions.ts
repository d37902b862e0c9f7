import type { Call, Method } from "../call"
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
 * The `referenceId` is a UUID v4, stored before the call; it decides what happened (specification,
 * "Idempotency rules for executions"; contract, 7). After `unknown` ask for the status under it. An
 * answer under another reference or of another kind is `unknown` too.
 *
 * `refused` with `Invalid`: the session is over, or the reference was used for another execution;
 * with `Forbidden` before the merchant is verified.
 */
export type Executions = {
  /**
   * Collects from a payer. Follow {@link Status.collection}. `refused` with `Invalid` also when the
   * account is not the party's (contract, 2b and 7).
   */
  readonly collection: Method<ExecuteCollectionRequest, Execution>
  /**
   * Pays a recipient of the session's account. Follow {@link Status.payout}. No error repeats the
   * passcode. `refused` with `Invalid` also when it is wrong, or the wallet does not allow the
   * payout (contract, 7 and 15).
   */
  readonly payout: Method<ExecutePayoutRequest, Execution>
  /**
   * Runs a transfer session between platform wallets. Follow {@link Status.transfer} (contract,
   * 15).
   */
  readonly transfer: Method<ExecuteTransferRequest, Execution>
  /**
   * Runs a refund session, under a new reference of its own. Follow {@link Status.refund}.
   * `refused` with `Invalid` also when the balance does not cover it (contract, 3 and 7).
   */
  readonly refund: Method<ExecuteRefundRequest, Execution>
}

export const executionsOf = (call: Call): Executions => ({
  collection: (request, options) => call(executeCollection, request, options),
  payout: (request, options) => call(executePayout, request, options),
  transfer: (request, options) => call(executeTransfer, request, options),
  refund: (request, options) => call(executeRefund, request, options),
})
