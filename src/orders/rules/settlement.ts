/**
 * What to do with completed money, from what Medusa holds right now. Pure, like `decide`.
 *
 * Recorded means all four facts: the payment is captured, the order's transactions hold the money,
 * the order that was made for it asks for nothing else, and the order is not cancelled. Money that
 * could go onto the wrong order, or twice onto the right one, is stranded for an admin instead.
 */
import type { SoldOutItem } from "../../core/cart-lines"
import type { EventCode } from "../../core/messages"
import type { ReviewReason } from "../../core/operation"

export type MedusaFacts = {
  /** The operation's session still exists, or its payment collection has one to rebind to. */
  readonly hasSession: boolean
  /** The session's provider is enabled; without an order yet, in the cart's region, too. */
  readonly isProviderEnabled: boolean
  /** The session's amount and the total of cart or order, rounded, equal the operation's amount. */
  readonly isAmountEqual: boolean
  /** A payment of the operation's current session exists and is captured. */
  readonly isCaptured: boolean
  /** The payment collection has a payment on a session that never was the operation's. */
  readonly hasForeignPayment: boolean
  readonly order:
    | undefined
    | {
        readonly isCanceled: boolean
        readonly isPaidInFull: boolean
        /** The order holds money that came in another way. */
        readonly isPaidOtherwise: boolean
        /** The order was made for this money, and by Medusa's own sum asks for more or less. */
        readonly hasOtherTotal?: boolean
      }
  /** The cart still exists. */
  readonly hasCart: boolean
  /** The items of the cart that are sold out; null: none is. */
  readonly soldOut: readonly SoldOutItem[] | null
}

export type Settlement =
  | { readonly kind: "record" }
  | { readonly kind: "complete_cart" }
  | { readonly kind: "capture_on_order" }
  | { readonly kind: "await_stock"; readonly soldOut: readonly SoldOutItem[] }
  | { readonly kind: "strand"; readonly reason: ReviewReason; readonly code: EventCode }

export function decideSettlement(facts: MedusaFacts): Settlement {
  const { order } = facts
  if (order?.isCanceled) return strand("order_canceled", "order_canceled")
  if (order && facts.isCaptured && order.isPaidInFull) {
    return order.hasOtherTotal === true
      ? strand("cart_changed", "order_total_changed")
      : { kind: "record" }
  }
  if (!order && !facts.hasCart) {
    return facts.isCaptured
      ? strand("another_payment", "capture_undone")
      : strand("session_gone", "nothing_to_pay")
  }
  if (!facts.hasSession) return strand("session_gone", "session_gone")
  if (!facts.isProviderEnabled) return strand("provider_disabled", "provider_disabled")
  if (facts.hasForeignPayment) return strand("another_payment", "another_payment")
  if (order?.isPaidOtherwise) return strand("another_payment", "order_paid_otherwise")
  if (!facts.isAmountEqual) return strand("cart_changed", "amount_changed")
  // Medusa would refuse the cart, and may leave an order behind: its steps run side by side (H34).
  if (!order && facts.soldOut) return { kind: "await_stock", soldOut: facts.soldOut }
  // If an undone completion left the payment captured, it is taken into the new order as it is.
  return { kind: order ? "capture_on_order" : "complete_cart" }
}

function strand(reason: ReviewReason, code: EventCode): Settlement {
  return { kind: "strand", reason, code }
}
