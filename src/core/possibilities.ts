/**
 * What a person may do with an operation now, and why not. Pure, from what the ledger holds; the
 * gateway and Medusa have their say when it is done (`review/`), so what is possible here may be
 * refused there.
 */
import type { NotPossible } from "./messages"
import { isHostRefund, isRecorded, type Operation } from "./operation"
import { isToUndo } from "./refund-state"

export const REVIEW_ACTIONS = [
  "check",
  "payment_intent",
  "accept",
  "refund",
  "dismiss",
  "retry",
] as const
export type ReviewAction = (typeof REVIEW_ACTIONS)[number]

export type Possibility = {
  readonly action: ReviewAction
  /** Null: possible. */
  readonly whyNot: NotPossible | null
}

/**
 * @param isToRetry it was told to Medusa as given back, did not go through, and nobody asked again
 */
export function possibilitiesOf(operation: Operation, isToRetry: boolean): Possibility[] {
  return REVIEW_ACTIONS.map((action) => ({ action, whyNot: whyNot(operation, action, isToRetry) }))
}

function whyNot(
  operation: Operation,
  action: ReviewAction,
  isToRetry: boolean,
): NotPossible | null {
  switch (action) {
    case "check":
      return isAskable(operation) ? null : "nothing_to_ask"
    case "payment_intent":
      return takesPaymentIntent(operation) ? null : "action_not_possible"
    case "retry":
      return whyNotRetried(operation, isToRetry)
    case "accept":
    case "dismiss":
    case "refund":
      return whyNotResolved(operation, action)
  }
}

function whyNotRetried(operation: Operation, isToRetry: boolean): NotPossible | null {
  if (!isToRetry || !isHostRefund(operation)) return "action_not_possible"
  return isToUndo(operation) ? "books_being_put_right" : null
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

/** Of the three decisions about what waits for one. */
export function whyNotResolved(
  operation: Operation,
  action: "accept" | "dismiss" | "refund",
): Exclude<NotPossible, "nothing_to_ask" | "books_being_put_right"> | null {
  const { type, state } = operation
  if (state !== "review") {
    return operation.returnedAt !== null || isRecorded(operation)
      ? "already_resolved"
      : "not_in_review"
  }
  if (type !== "COLLECTION") return action === "refund" ? "action_not_possible" : null
  if (operation.reservedRefundMinor > 0n) {
    return action === "refund" ? "already_resolved" : "refund_in_progress"
  }
  if (action === "refund" && operation.paymentIntentId === null) return "payment_intent_unknown"
  return null
}
