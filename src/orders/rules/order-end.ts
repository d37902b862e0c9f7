/**
 * An order was placed before its money, and its time to be paid is over. What becomes of it, from
 * the ledger's payments and from what Medusa holds right now. Pure, like `decide`.
 *
 * It is cancelled only when no payment of ours lives or waits for an admin, none of another
 * provider is there or may be under way, and Medusa allows it.
 */
import type { Message } from "../../core/messages"
import { hasEnded, isLive, type Operation } from "../../core/operation"
import { flowOfProvider } from "../../core/providers"

/** What Medusa holds of the order; undefined: there is none any more. */
export type OrderFacts =
  | undefined
  | {
      readonly isCanceled: boolean
      readonly isCancelable: boolean
      readonly hasMoney: boolean
      readonly providerIds: readonly string[]
    }

type OrderEnd =
  | { readonly kind: "cancel" }
  /** Dealt with: an admin, a payment or another provider decides about the order, or has. */
  | { readonly kind: "leave"; readonly message: Message; readonly isForPerson?: true }
  /** The order was undone: there is no time that could end. */
  | { readonly kind: "forget" }

/** Why the payments of the order themselves decide about it; undefined: none of them does. */
export function decidedByPayment(operations: readonly Operation[]): Message | undefined {
  const review = operations.find((one) => one.state === "review" && one.returnedAt === null)
  if (review) return { code: "order_in_review", facts: { operation: review.id } }
  const live = operations.find(isLive)
  if (live) return { code: "order_follows", facts: { operation: live.id, state: live.state } }
  // Dismissed: an admin has said that the money does not belong to the order.
  const dismissed = operations.find((one) => hasEnded(one) && one.collected !== null)
  return dismissed && { code: "order_decided", facts: { operation: dismissed.id } }
}

export function decideOrderEnd(operations: readonly Operation[], order: OrderFacts): OrderEnd {
  const decided = decidedByPayment(operations)
  if (decided !== undefined) return { kind: "leave", message: decided }
  if (!order) return { kind: "forget" }
  if (order.isCanceled) return { kind: "leave", message: { code: "order_canceled" } }
  if (order.hasMoney) return { kind: "leave", message: { code: "order_paid_otherwise" } }
  const other = order.providerIds.find((id) => flowOfProvider(id) === undefined)
  if (other !== undefined) {
    const message: Message = { code: "order_other_provider", facts: { provider_id: other } }
    return { kind: "leave", message, isForPerson: true }
  }
  if (order.isCancelable) return { kind: "cancel" }
  return { kind: "leave", message: { code: "order_not_cancelable" }, isForPerson: true }
}
