import type { CallOptions } from "../call-options"
import type { Call } from "../call"
import type { Outcome } from "../outcome"
import { payLink, receiptLink } from "../wire/sources/links"
import type { Link, LinkRequest } from "../wire/sources/links"

/** Addresses of an invoice or order, to hand to the customer (contract, 10). */
export type Links = {
  /**
   * Where the customer pays. `refused`: the document is not published yet, or was not created with
   * `asPaymentLink`. A visit of the page proves no payment: follow {@link Status.source}.
   *
   * @see specification, "What the service does"; contract, 10
   */
  pay(request: LinkRequest, options?: CallOptions): Promise<Outcome<Link>>
  /**
   * The receipt as a page. `refused`: the document is not `PAID`.
   *
   * @see contract, 10
   */
  receipt(request: LinkRequest, options?: CallOptions): Promise<Outcome<Link>>
}

export const linksOf = (call: Call): Links => ({
  pay: (request, options) => call(payLink, request, options),
  receipt: (request, options) => call(receiptLink, request, options),
})
