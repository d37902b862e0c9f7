import type { Call, Method } from "../call"
import { payLink, receiptLink } from "../wire/sources/links"
import type { Link, LinkRequest } from "../wire/sources/links"

/** Addresses of an invoice or order, to hand to the customer (contract, 10). */
export type Links = {
  /**
   * Where the customer pays. `refused`: the document is not published yet, or was not created with
   * `asPaymentLink`. A visit of the page proves no payment: follow {@link Status.source}
   * (specification, "What the service does"; contract, 10).
   */
  readonly pay: Method<LinkRequest, Link>
  /** The receipt as a page. `refused`: the document is not `PAID` (contract, 10). */
  readonly receipt: Method<LinkRequest, Link>
}

export const linksOf = (call: Call): Links => ({
  pay: (request, options) => call(payLink, request, options),
  receipt: (request, options) => call(receiptLink, request, options),
})
