/** The payment link of an order, as the admin reads it. The gateway is not asked. */
import { majorNumber } from "../core/money"
import type { Operation } from "../core/operation"
import { standingReason } from "../core/recorded"
import { markWaiting } from "../ledger/bring-forward"
import type { FlowDeps } from "../engine/deps"
import { shownUrl } from "../checkout/rules/status"
import type { OrderId } from "../core/ids"
import { isLiveLink } from "./make-link"
import { readOpenOrder, whyNotAsked } from "./open-order"
import { linkStateOf } from "./rules/link-responses"
import type { PaymentLink, PaymentLinkResponse } from "./schemas/payment-link"
import { findLinkOfOrder } from "./sql/find-links"

/** @throws Refusal `order_not_found` */
export async function readPaymentLink(
  deps: FlowDeps,
  orderId: OrderId,
): Promise<PaymentLinkResponse> {
  const [found, link] = await Promise.all([
    readOpenOrder(deps, orderId),
    findLinkOfOrder(deps.database, orderId),
  ])
  const isLive = link !== undefined && isLiveLink(link)
  if (isLive) {
    // An admin has the order open: the link is checked as often as for a shopper on screen.
    await markWaiting(deps.database, [link.id])
  }
  const whyNot = await whyNotAsked(deps, found)
  return {
    payment_link: link ? linkOf(link) : null,
    open_amount: found.open ? majorNumber(found.open) : null,
    currency: found.order.currency.toUpperCase(),
    why_not: whyNot?.toResponse() ?? null,
  }
}

function linkOf(operation: Operation): PaymentLink {
  const { id, amount, expiresAt, createdAt, askedBy, closing } = operation
  return {
    operation_id: id,
    state: linkStateOf(operation),
    url: closing === null ? shownUrl(operation) : null,
    amount: majorNumber(amount),
    currency: amount.currency,
    expires_at: expiresAt.toISOString(),
    reason: standingReason(operation),
    made_by: askedBy,
    created_at: createdAt.toISOString(),
  }
}
