import type { CallOptions } from "../call-options"
import type { Call } from "../call"
import type { Outcome } from "../outcome"
import { createPaymentAccount } from "../wire/payment-accounts"
import type { CreatePaymentAccountRequest, PaymentAccount } from "../wire/payment-accounts"

/** What a party pays from, or is paid to (contract, 12). */
export type PaymentAccounts = {
  /**
   * Registers a wallet or a card, for collecting unless `operationType` says otherwise. A mobile
   * money account can be used again for the same party, phone and method, and so can a payout
   * recipient's; a card needs a new one for each attempt. No idempotency key: the contract does not
   * say whether a repeat fails or makes a second one.
   *
   * @returns `refused` with `Invalid`: method and provider do not fit, or the phone is none
   * @see contract, 2b, 2c, 12 and 15
   */
  create(
    request: CreatePaymentAccountRequest,
    options?: CallOptions,
  ): Promise<Outcome<PaymentAccount>>
}

export const paymentAccountsOf = (call: Call): PaymentAccounts => ({
  create: (request, options) => call(createPaymentAccount, request, options),
})
