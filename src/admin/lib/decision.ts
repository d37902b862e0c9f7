/**
 * A case that needs a decision: what differs from a payment that went well, which decisions the
 * page offers, and the amount that each is about.
 */
import type { Resolve } from "./queries"
import type {
  GatewayReading,
  OperationDetail,
  OperationReason,
  OperationSummary,
} from "./responses"
import type { Words } from "./words"

type Action = Resolve["action"]
type Case = Pick<OperationSummary, "type" | "attention" | "reason" | "is_duplicate"> &
  Pick<OperationSummary, "amount" | "currency" | "collected_amount" | "refunded_amount">

type Disabled = NonNullable<OperationDetail["decision"]>["choices"][number]["disabled"]

/** Why the operation needs attention. */
export function attentionText(
  { say, coded }: Words,
  operation: Pick<Case, "type" | "attention" | "reason" | "is_duplicate">,
): string {
  const { attention, reason } = operation
  if (attention === "contradicted") return say("attention.contradicted")
  if (attention === "refund_failed") return say("attention.refundFailed")
  if (attention === "order_canceled") return say("attention.orderCanceled")
  if (attention === "stray_order") return say("attention.strayOrder")
  if (reason === null) return ""
  // Whatever brought a duplicate here, it can't go to the order that the other payment has paid.
  return isDuplicatePayment(operation)
    ? coded("reason.another_payment", {}, reason.en)
    : reasonText(coded, reason)
}

/** What is known of why it ended or waits. */
export function reasonText(coded: Words["coded"], { code, said, en }: OperationReason): string {
  return said === null
    ? coded(`reason.${code}`, {}, en)
    : coded("reason.unknown_said", { said }, en)
}

const isDuplicatePayment = ({
  type,
  attention,
  is_duplicate,
}: Parameters<typeof attentionText>[1]) =>
  type === "COLLECTION" && (attention ?? "review") === "review" && is_duplicate

/** What differs from a payment that went well, in one line. */
export function caseText(words: Words, operation: Case): string {
  const { say, coded, money } = words
  const { type, attention, reason, currency } = operation
  const why = attentionText(words, operation)
  if (attention === "contradicted") return say("case.contradicted")
  if (attention !== "review" && attention !== null) return why
  if (reason === null) return why
  if (isDuplicatePayment(operation)) return say("case.another_payment")
  const more = receivedAbove(operation)
  if (type !== "COLLECTION" || reason.code !== "amount_mismatch" || more === null) {
    return coded(`case.${reason.code}`, {}, why)
  }
  if (more === 0) return say("case.documentDiffers")
  const amount = money(Math.abs(more), currency)
  return say(more > 0 ? "case.receivedMore" : "case.receivedLess", { amount })
}

/** What differs and, until it is decided, what to do about it. */
export function whyTexts(
  words: Words,
  operation: Case & Pick<OperationSummary, "returned_at" | "dismissed_at">,
): string[] {
  const { attention, returned_at, dismissed_at } = operation
  const isDecided = attention === null && (returned_at ?? dismissed_at) !== null
  const advice = isDecided ? "" : attentionText(words, operation)
  return [...new Set([caseText(words, operation), advice])].filter(Boolean)
}

/** The difference of two amounts in major units, rounded to two decimals. */
const difference = (one: number, other: number) => Math.round((one - other) * 100) / 100

/** The collected amount less the asked amount, negative if less came; null if nothing is known. */
export function receivedAbove({ amount, collected_amount: collected }: Case): number | null {
  return collected === null ? null : difference(collected, amount)
}

/** What the shop holds of the payment, or would hold once it is paid: less what was refunded. */
export function amountOfCase({ amount, collected_amount, refunded_amount }: Case): number {
  return difference(collected_amount ?? amount, refunded_amount)
}

/**
 * The decisions that the store offers, a payment's recommended one first. A disabled one waits for
 * stock.
 */
export function choicesOf({
  type,
  reason,
  actions,
  decision,
}: Pick<OperationDetail, "type" | "reason" | "actions" | "decision">): readonly {
  readonly action: Action
  readonly isRecommended: boolean
  readonly disabled: Disabled
}[] {
  if (type === "COLLECTION") {
    const choices = decision?.choices ?? []
    return choices.map(({ action, recommended, disabled }) => ({
      action,
      isRecommended: recommended,
      disabled,
    }))
  }
  const isPossible = (wanted: Action) =>
    actions.some(({ action, is_possible }) => action === wanted && is_possible)
  // Only a customer's payment can be refunded.
  return (["accept", "dismiss"] as const).filter(isPossible).map((action) => ({
    action,
    isRecommended: action === "accept" && isToAccept(reason),
    disabled: null,
  }))
}

/** Money that went back or out, so that it is to be counted, as the text of the reason says. */
const isToAccept = (reason: OperationDetail["reason"]) =>
  ["late_refund", "late_payout", "amount_mismatch"].includes(reason?.code ?? "")

/**
 * The amount of a decision, for its confirmation. A refund returns what the gateway says was taken,
 * which may differ from what was asked for; null, and not shown, if that is unknown.
 */
export function atStake(operation: Case, action: Action, reading: GatewayReading | null) {
  const { type, amount, currency, collected_amount, refunded_amount } = operation
  const asked = { amount, currency }
  if (type !== "COLLECTION" || action === "accept" || action === "accept_asked") return asked
  const known = action === "dismiss" ? reading?.amount : reading?.taken_amount
  const isRead = reading?.kind === "reads" && typeof known === "number" && reading.currency !== null
  const read = isRead ? { amount: known, currency: reading.currency } : null
  if (action === "dismiss") return read ?? { amount: collected_amount ?? amount, currency }
  if (!read) return null
  // It is not known what a source reads after a part was refunded, so the ledger's amount is used.
  const isPartBack = refunded_amount > 0 && collected_amount !== null
  const taken = isPartBack ? { amount: collected_amount, currency } : read
  const kept = action === "refund_rest" ? amount : refunded_amount
  return { ...taken, amount: difference(taken.amount, kept) }
}
