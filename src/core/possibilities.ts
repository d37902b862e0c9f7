/**
 * What an admin may do with an operation now, and why not: from the ledger alone. The gateway and
 * Medusa are asked when it is done (`review/`), so what is possible here may be refused there.
 */
import type { NotPossible } from "./messages"
import { isNoneUnderWay, isRecorded, restMinor, type Operation } from "./operation"

export const REVIEW_ACTIONS = [
  "check",
  "payment_intent",
  "accept",
  "accept_asked",
  "refund_rest",
  "refund",
  "dismiss",
  "retry",
] as const
export type ReviewAction = (typeof REVIEW_ACTIONS)[number]

/** What an admin decides about what is in review. */
export type Decision = Exclude<ReviewAction, "check" | "payment_intent" | "retry">

export type Possibility = {
  readonly action: ReviewAction
  /** Null: possible. */
  readonly whyNot: NotPossible | null
}

/** Money that is listed, in no review, because it did not go back: it can be sent once more. */
export type Unreturned = {
  /** Medusa shows what did not happen; the job takes it out first. */
  readonly isBeingCorrected: boolean
}

/** @param unreturned a failed refund, or the money of a cancelled order, as the list says it */
export function possibilitiesOf(
  operation: Operation,
  unreturned: Unreturned | undefined,
): Possibility[] {
  return REVIEW_ACTIONS.map((action) => ({ action, whyNot: whyNot(operation, action, unreturned) }))
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

/** Completed, and the gateway says something else since: listed until it agrees or is dismissed. */
export function isInDoubt({ state, contradictedAt }: Operation): boolean {
  return state === "completed" && contradictedAt !== null
}

/** There is something at the gateway to ask about. */
export function isAskable({ type, reference, sourceId, state }: Operation): boolean {
  if (state === "drafted") return false
  return reference !== null || (type === "COLLECTION" && sourceId !== null)
}

/** Money that is here, or was: only of such can a refund need it. */
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
  | "payment_intent_unknown"
  | "refund_unclear"
  | "action_not_possible"
>

/** Of the decisions about what waits for one. */
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
    // The job accepts it once the difference is back, which for another reason it never does.
    const isOfAmount = operation.reason === "amount_mismatch" && restMinor(operation) > 0n
    if (!isOfAmount || operation.isDuplicate) return "action_not_possible"
    if (operation.reservedRefundMinor > 0n) return "already_resolved"
    // A part in another currency, or in one that is not known, could be of either.
    if (operation.payerCurrency !== operation.amount.currency) return "refund_unclear"
  }
  if (isRefund && operation.paymentIntentId === null) return "payment_intent_unknown"
  return null
}

function hasWhatWasAsked({ collected, amount, reason }: Operation): boolean {
  if (collected === null || collected.minor < amount.minor) return false
  // Of what came in full and for no other reason there is no rest to note.
  return collected.minor > amount.minor || reason === "amount_mismatch"
}
