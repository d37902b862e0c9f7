/**
 * An admin makes a payment link for what an order still asks for: Medusa's own collection and
 * session for that amount, then `start` as for a page, document first. What is taken with it is
 * settled onto the order like any other money.
 *
 * Nobody is given two links: a live one for the same amount is given back, one for another amount
 * is closed and seen `CANCELED` first. The ledger lets one payment of the order begin, whoever
 * asks.
 */
import { sameMoney } from "../core/money"
import { isPage, type Operation } from "../core/operation"
import { PROVIDERS } from "../core/providers"
import { Refusal, type RefusalCode, type RefusalKey } from "../core/refusal"
import type { FlowDeps } from "../engine/deps"
import { startPayment } from "../checkout/start-payment"
import { readOpenOrder, whyNoLink, type OpenOrder } from "./open-order"
import { findLinkOfOrder } from "./sql/find-links"

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

/**
 * An order that was paid, cancelled or deleted since it was read is why Medusa made nothing for it.
 */
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

/** What `start` tells a shopper about their cart, as it is told to an admin about an order. */
const FOR_ADMIN: Partial<Record<RefusalCode, RefusalKey>> = {
  session_not_found: "session_not_found.replaced",
  payment_in_progress: "payment_in_progress",
  under_review: "under_review",
  phone_required: "phone_required.order",
  not_configured: "not_configured.link",
  gateway_refused: "gateway_refused",
}

export function forAdmin(refused: Refusal): Refusal {
  const key = FOR_ADMIN[refused.code]
  return key ? new Refusal(key) : refused
}
