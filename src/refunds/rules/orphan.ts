/**
 * Which money in review the policy `refund_orphans` may give back: money that is surely there, for
 * what was asked for, and belongs to no order.
 *
 * Not an orphan is money whose order may still be: the cart was edited, the provider is disabled
 * and can be enabled again, the cart can't be completed until stock comes back. Nor is money of
 * which something is not certain. Both wait for an admin whatever the policy says.
 */
import { sameMoney } from "../../core/money"
import type { Operation, ReviewReason } from "../../core/operation"

const ORPHAN_REASONS = [
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
