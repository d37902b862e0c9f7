import type { CallOptions } from "../call-options"
import type { Call } from "../call"
import type { Outcome } from "../outcome"
import { createPayoutSession } from "../wire/sessions/payout-sessions"
import type { CreatePayoutSessionRequest, PayoutSession } from "../wire/sessions/payout-sessions"
import { createRefundSession } from "../wire/sessions/refund-sessions"
import type { CreateRefundSessionRequest, RefundSession } from "../wire/sessions/refund-sessions"
import { createCheckoutSession } from "../wire/sessions/sessions"
import type { CheckoutSession, CreateCheckoutSessionRequest } from "../wire/sessions/sessions"
import { createTransferSession } from "../wire/sessions/transfer-sessions"
import type {
  CreateTransferSessionRequest,
  TransferSession,
} from "../wire/sessions/transfer-sessions"

/**
 * Gateway sessions: a short permission to execute once. Only an `ACTIVE` session can be executed,
 * and only by the execution of its own kind (contract, 5). Opening one moves no money. A repeat
 * opens another one, because there is no idempotency key. None can be closed: a session that is not
 * executed expires.
 */
export type Sessions = {
  /**
   * Opens the session of an `ACTIVE` source, right before executing.
   *
   * @see contract, 2b and 5
   */
  checkout(
    request: CreateCheckoutSessionRequest,
    options?: CallOptions,
  ): Promise<Outcome<CheckoutSession>>
  /**
   * Opens the session of a payout to a payment account. The gateway picks the wallet and the
   * expiry.
   *
   * @param request at least one smallest unit, in the currency of the amount
   * @returns `refused` with `Forbidden` before the merchant is verified, with `Invalid` naming the
   * field; `unknown` also when the answer has another account or amount than asked for
   * @see specification, "Payout session"; contract, 15
   */
  payout(
    request: CreatePayoutSessionRequest,
    options?: CallOptions,
  ): Promise<Outcome<PayoutSession>>
  /**
   * Opens the session of a transfer from a wallet of the merchant's to a counterparty's.
   *
   * @param request at least one smallest unit, in the currency of the amount
   * @returns as {@link Sessions.payout}
   * @see contract, 15
   */
  transfer(
    request: CreateTransferSessionRequest,
    options?: CallOptions,
  ): Promise<Outcome<TransferSession>>
  /**
   * Opens the session of a full or partial refund of a completed collection. Keep your own running
   * total: the contract does not say whether the gateway caps the sum of several refunds.
   *
   * @param request the amount has no currency on the wire, see there
   * @returns `refused` with `Forbidden` before the merchant is verified, with `Invalid` naming the
   * field; `unknown` also when the answer has another payment, amount or currency than asked for
   * @see contract, 3
   */
  refund(
    request: CreateRefundSessionRequest,
    options?: CallOptions,
  ): Promise<Outcome<RefundSession>>
}

export const sessionsOf = (call: Call): Sessions => ({
  checkout: (request, options) => call(createCheckoutSession, request, options),
  payout: (request, options) => call(createPayoutSession, request, options),
  transfer: (request, options) => call(createTransferSession, request, options),
  refund: (request, options) => call(createRefundSession, request, options),
})
