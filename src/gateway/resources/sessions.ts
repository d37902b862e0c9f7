import type { Call, Method } from "../call"
import {
  createCheckoutSession,
  createPayoutSession,
  createRefundSession,
  createTransferSession,
} from "../wire/sessions"
import type {
  CheckoutSession,
  CreateCheckoutSessionRequest,
  CreatePayoutSessionRequest,
  CreateRefundSessionRequest,
  CreateTransferSessionRequest,
  PayoutSession,
  RefundSession,
  TransferSession,
} from "../wire/sessions"

/**
 * Gateway sessions: a short permission to execute once, by the execution of its own kind, while
 * `ACTIVE` (contract, 5). Opening one moves no money. A repeat opens another one, because there is
 * no idempotency key. None can be closed: a session that is not executed expires.
 *
 * `refused` with `Forbidden` before the merchant is verified, with `Invalid` naming the field.
 */
export type Sessions = {
  /** Opens the session of an `ACTIVE` source, right before executing (contract, 2b and 5). */
  readonly checkout: Method<CreateCheckoutSessionRequest, CheckoutSession>
  /**
   * Opens the session of a payout to a payment account. The gateway picks wallet and expiry.
   * `unknown` also when the answer has another account or amount (specification, "Payout session";
   * contract, 15).
   */
  readonly payout: Method<CreatePayoutSessionRequest, PayoutSession>
  /**
   * Opens the session of a transfer from a wallet of the merchant's to a counterparty's. `unknown`
   * as for {@link Sessions.payout} (contract, 15).
   */
  readonly transfer: Method<CreateTransferSessionRequest, TransferSession>
  /**
   * Opens the session of a refund of a completed collection, full or in part. Keep your own running
   * total: the contract does not say whether the gateway caps the sum of several refunds. `unknown`
   * also when the answer has another payment, amount or currency (contract, 3).
   */
  readonly refund: Method<CreateRefundSessionRequest, RefundSession>
}

export const sessionsOf = (call: Call): Sessions => ({
  checkout: (request, options) => call(createCheckoutSession, request, options),
  payout: (request, options) => call(createPayoutSession, request, options),
  transfer: (request, options) => call(createTransferSession, request, options),
  refund: (request, options) => call(createRefundSession, request, options),
})
