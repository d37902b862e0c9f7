/**
 * Decides about an order that was placed before its money and whose time to be paid is over, from
 * the ledger's payments and from what Medusa holds right now. Pure, like `decide`.
 *
 * The order is cancelled only if no payment of ours is live or waits for an admin, none of another
 * provider is there or may be under way, and Medusa allows it.
 */
import type { Message } from "../../core/messages"
import { hasEnded, isLive, type Operation } from "../../core/operation"
import { flowOfProvider } from "../../core/flows"

/** What Medusa holds of the order; undefined: the order no longer exists. */
export type OrderFacts =
  | undefined
  | {
      readonly isCanceled: boolean
      readonly isCancelable: boolean
      readonly hasMoney: boolean
      /** By Medusa's own sum the order asks for nothing, as after a credit line. */
      readonly isNothingOpen: boolean
      readonly providerIds: readonly string[]
    }

type OrderEnd =
  | { readonly kind: "cancel" }
  /** An admin, a payment or another provider decides about the order, or has decided. */
  | { readonly kind: "leave"; readonly message: Message; readonly isForPerson?: true }
  /** The order was undone, and its time limit with it. */
  | { readonly kind: "forget" }

/** Why one of the order's own payments decides about it; undefined: none of them does. */
export function decidedByPayment(operations: readonly Operation[]): Message | undefined {
  const review = operations.find((one) => one.state === "review" && one.returnedAt === null)
  if (review) return { code: "order_in_review", facts: { operation: review.id } }
  const live = operations.find(isLive)
  if (live) return { code: "order_follows", facts: { operation: live.id, state: live.state } }
  // An ended payment with money was dismissed: an admin said that it does not belong to the order.
  const dismissed = operations.find((one) => hasEnded(one) && one.collected !== null)
  return dismissed && { code: "order_decided", facts: { operation: dismissed.id } }
}

export function decideOrderEnd(operations: readonly Operation[], order: OrderFacts): OrderEnd {
  const decided = decidedByPayment(operations)
  if (decided !== undefined) return { kind: "leave", message: decided }
  if (!order) return { kind: "forget" }
  if (order.isCanceled) return { kind: "leave", message: { code: "order_canceled" } }
  if (order.hasMoney) return { kind: "leave", message: { code: "order_paid_otherwise" } }
  if (order.isNothingOpen) return { kind: "leave", message: { code: "order_asks_nothing" } }
  const other = order.providerIds.find((id) => flowOfProvider(id) === undefined)
  if (other !== undefined) {
    const message: Message = { code: "order_other_provider", facts: { provider_id: other } }
    return { kind: "leave", message, isForPerson: true }
  }
  if (order.isCancelable) return { kind: "cancel" }
  return { kind: "leave", message: { code: "order_not_cancelable" }, isForPerson: true }
}
