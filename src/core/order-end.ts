/**
 * An order was placed before its money, and its time to be paid is over. What becomes of it, from what
 * the ledger knows of all its payments and from what Medusa holds right now. Pure, like `decide`.
 *
 * An order is cancelled only when nobody else can say that it is paid: no payment of ours lives or waits
 * for a person, none of another provider is there or may be under way, and Medusa would let it go.
 */
import { hasEnded, isLive, type Operation } from "./operation"
import { flowOfProvider } from "./providers"

/** What Medusa holds of the order; undefined: there is none any more. */
export type OrderFacts =
  | undefined
  | {
      readonly isCanceled: boolean
      readonly isCancelable: boolean
      readonly hasMoney: boolean
      readonly providerIds: readonly string[]
    }

export type OrderEnd =
  | { readonly kind: "cancel" }
  /** Dealt with: somebody or something else decides about the order, or has. */
  | { readonly kind: "leave"; readonly why: string; readonly isForPerson?: true }
  /** The order was undone: there is no time that could end. */
  | { readonly kind: "forget"; readonly why: string }

/** Why the payments of the order themselves decide about it; undefined: none of them does. */
export function decidedByPayment(operations: readonly Operation[]): string | undefined {
  const review = operations.find((one) => one.state === "review" && one.returnedAt === null)
  if (review) return `a person looks at the money of ${review.id}`
  const live = operations.find(isLive)
  if (live) return `the order follows ${live.id}, which is ${live.state}`
  // Dismissed: the gateway has, or had, money that a person said is none of the order's.
  const dismissed = operations.find((one) => hasEnded(one) && one.collected !== null)
  return dismissed && `a person has decided about the money of ${dismissed.id}`
}

export function decideOrderEnd(operations: readonly Operation[], order: OrderFacts): OrderEnd {
  const decided = decidedByPayment(operations)
  if (decided !== undefined) return { kind: "leave", why: decided }
  if (!order) return { kind: "forget", why: "there is no order that waits for this money" }
  if (order.isCanceled) return { kind: "leave", why: "the order is cancelled already" }
  if (order.hasMoney) return { kind: "leave", why: "the order is paid in another way" }
  const other = order.providerIds.find((id) => flowOfProvider(id) === undefined)
  if (other !== undefined) {
    return { kind: "leave", why: `the order may be paid through ${other}`, isForPerson: true }
  }
  if (!order.isCancelable) {
    return { kind: "leave", why: "the order is not one that Medusa cancels", isForPerson: true }
  }
  return { kind: "cancel" }
}
