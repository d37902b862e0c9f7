/**
 * What an admin may do with an operation now, and why not, by the ledger alone. The gateway and
 * Medusa are asked when the admin acts (`review/`), so an action that is possible here may be
 * refused there.
 */
import type { NotPossible } from "./messages"
import { isNoneUnderWay, isRecorded, restMinor, type Operation } from "./operation"

/** The actions that decide about an operation in review. */
export const DECISIONS = ["accept", "accept_asked", "refund_rest", "refund", "dismiss"] as const
export type Decision = (typeof DECISIONS)[number]

export const REVIEW_ACTIONS = ["check", "payment_intent", ...DECISIONS, "retry"] as const
type ReviewAction = (typeof REVIEW_ACTIONS)[number]

export type Possibility = {
  readonly action: ReviewAction
  /** Why the action is not possible; null: it is possible. */
  readonly whyNot: NotPossible | null
}

/** Money that did not go back. It is listed without a review, and can be sent once more. */
export type Unreturned = {
  /** Medusa shows a refund that did not happen; the job takes it out first. */
  readonly isBeingCorrected: boolean
}

/**
 * @param unreturned a failed refund, or the money of a cancelled order, as the list says it
 * @param hasStrayOrder the payment is listed because of a second order that nobody pays
 */
export function possibilitiesOf(
  operation: Operation,
  unreturned: Unreturned | undefined,
  hasStrayOrder = false,
): Possibility[] {
  return REVIEW_ACTIONS.map((action) => ({
    action,
    whyNot: action === "dismiss" && hasStrayOrder ? null : whyNot(operation, action, unreturned),
  }))
}

function whyNot(
  operation: Operation,
  action: ReviewAction,
  unreturned: Unreturned | undefined,
): NotPossible | null {
  switch (action) {
    case "check":
      return isAskable(operation) ? null : "nothing_to_ask"
    case "payment_intent":
      return takesPaymentIntent(operation) ? null : "action_not_possible"
    case "retry":
      if (!unreturned) return "action_not_possible"
      return unreturned.isBeingCorrected ? "records_being_corrected" : null
    case "dismiss":
      return unreturned || isInDoubt(operation) ? null : whyNotResolved(operation, action)
    case "accept":
    case "accept_asked":
    case "refund_rest":
    case "refund":
      return whyNotResolved(operation, action)
  }
}

/**
 * Completed, but the gateway has said something else since. The operation is listed until the
 * gateway agrees again, or an admin dismisses the doubt.
 */
function isInDoubt({ state, contradictedAt }: Operation): boolean {
  return state === "completed" && contradictedAt !== null
}

/** There is something at the gateway to ask about. */
export function isAskable({ type, reference, sourceId, state }: Operation): boolean {
  if (state === "drafted") return false
  return reference !== null || (type === "COLLECTION" && sourceId !== null)
}

/**
 * Whether an admin may enter the payment intent id. A refund needs it, and only a payment whose
 * money came in, or may have, can be refunded.
 */
export function takesPaymentIntent({ type, state, returnedAt }: Operation): boolean {
  return (
    type === "COLLECTION" && returnedAt === null && (state === "completed" || state === "review")
  )
}

type NotResolved = Extract<
  NotPossible,
  | "not_in_review"
  | "already_resolved"
  | "refund_in_progress"
  | "refund_unclear"
  | "action_not_possible"
>

/** Why a decision about an operation in review is not possible; null: it is possible. */
export function whyNotResolved(operation: Operation, action: Decision): NotResolved | null {
  const { type, state } = operation
  if (state !== "review") {
    return operation.returnedAt !== null || isRecorded(operation)
      ? "already_resolved"
      : "not_in_review"
  }
  const isPlain = action === "accept" || action === "dismiss"
  if (type !== "COLLECTION") return isPlain ? null : "action_not_possible"
  const isRefund = action === "refund" || action === "refund_rest"
  if (!isNoneUnderWay(operation)) return isRefund ? "already_resolved" : "refund_in_progress"
  if (action === "accept_asked" && !hasWhatWasAsked(operation)) return "action_not_possible"
  if (action === "refund_rest") {
    // The job accepts the payment once the difference is back; in another review it never does.
    const isOfAmount = operation.reason === "amount_mismatch" && restMinor(operation) > 0n
    if (!isOfAmount || operation.isDuplicate) return "action_not_possible"
    if (operation.reservedRefundMinor > 0n) return "already_resolved"
    // Paid in another or an unknown currency, a partial refund could be meant in either.
    if (operation.payerCurrency !== operation.amount.currency) return "refund_unclear"
  }
  // A refund asks the gateway for a payment intent that is not known yet (`refunds/find-intent`).
  return null
}

function hasWhatWasAsked({ collected, amount, reason }: Operation): boolean {
  if (collected === null || collected.minor < amount.minor) return false
  // If exactly the asked amount came and the review has another reason, no rest is to be noted.
  return collected.minor > amount.minor || reason === "amount_mismatch"
}
