import type { CallOptions } from "../call-options"
import type { Call } from "../call"
import type { Outcome } from "../outcome"
import { createCheckout } from "../wire/sources/checkouts"
import type { CheckoutSource, CreateCheckoutRequest } from "../wire/sources/checkouts"

/** Payable sources in one call (contract, 2a). */
export type Checkouts = {
  /**
   * Makes party, counterparty and payable document, and its payment page in mode `HOSTED`. No
   * idempotency key: a repeat makes a second source, so after `unknown` list the documents and look
   * for your own `referenceId`. Fee bearer and quantities can't be set; for those make the document
   * first.
   *
   * @param request amounts per line, all in the currency of the source
   * @returns `refused` with `Invalid` naming the field, with `Forbidden` before the merchant is
   * verified
   * @see specification, "Checkouts"; contract, 2a and 5
   */
  create(request: CreateCheckoutRequest, options?: CallOptions): Promise<Outcome<CheckoutSource>>
}

export const checkoutsOf = (call: Call): Checkouts => ({
  create: (request, options) => call(createCheckout, request, options),
})
