import type { Call, Method } from "../call"
import { createCheckout } from "../wire/sources/checkouts"
import type { CheckoutSource, CreateCheckoutRequest } from "../wire/sources/checkouts"

/** Payable sources in one call (contract, 2a). */
export type Checkouts = {
  /**
   * Makes party, counterparty and payable document, and its payment page in mode `HOSTED`. No
   * idempotency key: a repeat makes a second source, so after `unknown` list the documents and look
   * for your own `referenceId`. Fee bearer and quantities can't be set; for those make the document
   * first. `refused` with `Forbidden` before the merchant is verified (contract, 2a and 5).
   */
  readonly create: Method<CreateCheckoutRequest, CheckoutSource>
}

export const checkoutsOf = (call: Call): Checkouts => ({
  create: (request, options) => call(createCheckout, request, options),
})
