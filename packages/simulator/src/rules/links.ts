/**
 * Addresses to share (contract notes, section 10). The pay link opens the page of a source made as
 * a payment link, from `ACTIVE` on; the receipt link opens its receipt once it is `PAID`. Asking
 * again returns the same address.
 */
import type { Document } from "../book/records"
import { wrongState } from "../problem"
import type { World } from "../world"
import { stateOf } from "./documents"

const FIELD = ["query", "source_number"]

/** The path of the payment page. Throws 422. */
export function payPath(world: World, document: Document): string {
  if (!document.isPaymentLink) throw wrongState(FIELD, "The source was not made as a payment link")
  const { status } = stateOf(world, document)
  if (status === "IDLE" || status === "CANCELED") {
    throw wrongState(FIELD, `The source is ${status}: it has no payment link`)
  }
  return `/pay/${document.token}`
}

/** The path of the receipt page. Throws 422 unless the source is `PAID`. */
export function receiptPath(world: World, document: Document): string {
  const { status } = stateOf(world, document)
  if (status !== "PAID") throw wrongState(FIELD, `The source is ${status}, not PAID`)
  return `/receipt/${document.token}`
}
