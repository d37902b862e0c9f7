import type { Call, Method } from "../call"
import { createPaymentAccount } from "../wire/payment-accounts"
import type { CreatePaymentAccountRequest, PaymentAccount } from "../wire/payment-accounts"

/** What a party pays from, or is paid to (contract, 12). */
export type PaymentAccounts = {
  /**
   * Registers a wallet or a card, for collecting unless `operationType` says otherwise. The same
   * party can use its wallet again; a card needs a new account for each attempt. No idempotency
   * key: the contract does not say whether a repeat fails or makes a second one. `refused` with
   * `Invalid`: method and provider do not fit, or the phone is none (contract, 2b, 2c, 12 and 15).
   */
  readonly create: Method<CreatePaymentAccountRequest, PaymentAccount>
}

export const paymentAccountsOf = (call: Call): PaymentAccounts => ({
  create: (request, options) => call(createPaymentAccount, request, options),
})
