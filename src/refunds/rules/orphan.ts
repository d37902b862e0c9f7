/**
 * Which money in review an account may give back by itself, where it says so (`refund_orphans`).
 *
 * An orphan is surely there, for what was asked for, and belongs to no order: it came after its
 * payment had ended, or for an order that was cancelled, or its session is gone, or its cart is
 * paid already. A person could do nothing with it but accept it or give it back.
 *
 * Not an orphan is money whose order may still be: the cart was edited (the difference can be asked
 * for), the provider is disabled (and can be enabled again), the cart can't be completed yet (stock
 * comes back). Nor is money of which something is not certain: another amount or currency, an
 * execution and a source that disagree, no answer, no credentials. Those wait for a person whatever
 * the policy says.
 */
import { sameMoney } from "../../core/money"
import type { Operation, ReviewReason } from "../../core/operation"

export const ORPHAN_REASONS = [
  "late_payment",
  "order_canceled",
  "session_gone",
  "another_payment",
] as const satisfies readonly ReviewReason[]

export function isOrphan(operation: Operation): boolean {
  const { collected, reason } = operation
  return (
    operation.type === "COLLECTION" &&
    operation.state === "review" &&
    operation.returnedAt === null &&
    collected !== null &&
    sameMoney(collected, operation.amount) &&
    ORPHAN_REASONS.some((known) => known === reason)
  )
}
