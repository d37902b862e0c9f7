/** A case that needs a decision, in one line: what differs from a payment that went well. */
import type { OperationSummary } from "./responses"
import type { Words } from "./words"

type Case = Pick<
  OperationSummary,
  | "type"
  | "attention"
  | "reason"
  | "amount"
  | "currency"
  | "collected_amount"
  | "refunded_amount"
  | "is_duplicate"
>

export function caseText({ say, coded, money }: Words, operation: Case): string {
  const { type, attention, reason, currency, is_duplicate } = operation
  if (attention === "contradicted") return say("attention.contradicted")
  if (attention === "refund_failed") return say("attention.refundFailed")
  if (reason === null) return ""
  if (is_duplicate) return say("case.another_payment")
  const more = receivedAbove(operation)
  if (type !== "COLLECTION" || reason.code !== "amount_mismatch" || more === null) {
    return coded(`case.${reason.code}`, {}, coded(`reason.${reason.code}`, {}, reason.en))
  }
  if (more === 0) return say("case.documentDiffers")
  const amount = money(Math.abs(more), currency)
  return say(more > 0 ? "case.receivedMore" : "case.receivedLess", { amount })
}

/** What came above what was asked for, negative for less; null where nothing is known to have. */
export function receivedAbove(operation: Pick<Case, "amount" | "collected_amount">): number | null {
  const { amount, collected_amount: collected } = operation
  // The difference of two decimals of at most two digits.
  return collected === null ? null : Math.round((collected - amount) * 100) / 100
}

/** What the shop holds of it, or would. */
export function amountOfCase(operation: Case): number {
  const { amount, collected_amount: collected, refunded_amount: back } = operation
  return Math.round(((collected ?? amount) - back) * 100) / 100
}
