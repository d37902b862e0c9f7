/**
 * An admin makes a payment link for what an order still asks for: Medusa's own collection and session for
 * that amount, then `start` as for a page, document first. What is taken with it is settled onto the order
 * like any other money.
 *
 * Nobody is given two links: a live one for the same amount is given back, one for another amount is
 * closed and seen `CANCELED` first. The ledger lets one payment of the order begin, whoever asks.
 */
import { sameMoney } from "../../core/money"
import { isPage, type Operation } from "../../core/operation"
import { PROVIDERS } from "../../core/providers"
import { Refusal, type RefusalCode } from "../../core/refusal"
import { findLinkOfOrder } from "../../ledger/find-links"
import type { FlowDeps } from "../deps"
import { startPayment } from "../start/start-payment"
import { readOpenOrder, whyNoLink, type OpenOrder } from "./open-order"

export type LinkRequest = {
  readonly orderId: string
  readonly adminId: string
  /** Whom it is made out to; left out: the number of the order's shipping address. */
  readonly phone?: string | undefined
}

/**
 * @throws Refusal `order_not_found`, `order_closed`, `order_is_draft`, `nothing_to_pay`,
 *   `other_payment_open`, `currency_not_served`, `not_configured`, `payment_in_progress`,
 *   `under_review`, `phone_required`, `invalid_phone`, `gateway_refused`, `gateway_unavailable`
 */
export async function makePaymentLink(deps: FlowDeps, request: LinkRequest): Promise<void> {
  const found = await readOpenOrder(deps, request.orderId)
  if (await hasLiveLink(deps, found)) return
  const whyNot = await whyNoLink(deps, found)
  if (whyNot) throw whyNot
  const sessionId = await sessionFor(deps, request.orderId)
  try {
    await startPayment(deps, { sessionId, linkFor: request.adminId, phone: request.phone })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // Another admin was faster by a moment: theirs is the link.
    if (await hasLiveLink(deps, found)) return
    throw forAdmin(error)
  }
}

/** An order that was paid, cancelled or deleted since it was read is why Medusa made nothing for it. */
async function sessionFor(deps: FlowDeps, orderId: string): Promise<string> {
  try {
    return await deps.host.openSession(orderId, PROVIDERS.hosted.providerId)
  } catch (error) {
    const whyNot = await whyNoLink(deps, await readOpenOrder(deps, orderId))
    throw whyNot ?? error
  }
}

/** One for the amount that is open now, which is not being closed. */
async function hasLiveLink(deps: FlowDeps, { order, open }: OpenOrder): Promise<boolean> {
  if (!open || order.isCanceled) return false
  const link = await findLinkOfOrder(deps.database, order.id)
  return link !== undefined && isLiveLink(link) && sameMoney(link.amount, open)
}

/** Whoever has its address can pay with it. */
export function isLiveLink(operation: Operation): boolean {
  const { state, closing, hostedUrl } = operation
  const isOut = state === "submitted" || state === "in_flight"
  return isPage(operation) && isOut && closing === null && hostedUrl !== null
}

/** What `start` tells a shopper about their cart, said to whoever looks at the order. */
const SENTENCES: Partial<Record<RefusalCode, string>> = {
  session_not_found:
    "Medusa has just replaced what this link was to be made for. Nothing was made. Try again.",
  payment_in_progress:
    "This order is being paid just now, or a page for it is being closed. Try again in a minute.",
  under_review: "Money of this order waits for a person. Decide about it first.",
  already_paid: "This order is paid already.",
  order_closed: "This order's time to be paid is over.",
  cart_changed: "The order has changed meanwhile. Nothing was made. Look at it and try again.",
  phone_required:
    "The order has no phone number, and the gateway makes no link without one. Type the customer's.",
  not_configured:
    "The gateway does not take these credentials, or the payment page is not enabled for the order's " +
    "region. Look at the settings.",
  gateway_refused: "The gateway refused to make this link. Nothing was charged.",
  gateway_unavailable:
    "The gateway does not answer at the moment. No link was made. Try again in a minute.",
  amount_not_payable: "The open amount is too small to be paid.",
}

function forAdmin(refusal: Refusal): Refusal {
  const sentence = SENTENCES[refusal.code]
  return sentence === undefined ? refusal : new Refusal(refusal.code, sentence)
}
