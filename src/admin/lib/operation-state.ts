/**
 * The label and colour of an operation's state. A state means something else for incoming and
 * outgoing money, so both are read together.
 */
import type { WordKey } from "../i18n/words"
import type { OperationDetail, OperationSummary } from "./responses"
import type { Say } from "./words"

export type Colour = "green" | "red" | "blue" | "orange" | "grey" | "purple"

type Labelled = Pick<
  OperationSummary,
  | "type"
  | "state"
  | "recorded_at"
  | "refunded_amount"
  | "returned_at"
  | "taken_back_at"
  | "dismissed_at"
  | "refund_pending_amount"
>

const label = (word: WordKey, colour: Colour) => ({ word, colour })

const COMING_IN = {
  drafted: label("state.drafted", "grey"),
  submitted: label("state.waiting", "blue"),
  in_flight: label("state.waiting", "blue"),
  completed: label("state.recording", "blue"),
  failed: label("state.failed", "red"),
  expired: label("state.expired", "grey"),
  review: label("state.review", "orange"),
}

const GOING_OUT = {
  drafted: label("state.onItsWay", "blue"),
  submitted: label("state.onItsWay", "blue"),
  in_flight: label("state.onItsWay", "blue"),
  completed: label("state.arrived", "green"),
  failed: label("refunds.failed", "red"),
  expired: label("refunds.failed", "red"),
  review: label("state.review", "orange"),
}

export function labelOf(operation: Labelled) {
  const { type, state, recorded_at, returned_at, refund_pending_amount: pending } = operation
  if (operation.dismissed_at) return label("state.dismissed", "grey")
  if (type !== "COLLECTION") return GOING_OUT[state]
  if (state === "completed" && returned_at) return label("state.returned", "purple")
  if (state === "completed" && operation.taken_back_at) return label("state.takenBack", "red")
  if (state === "completed" && recorded_at) {
    return operation.refunded_amount > 0
      ? label("state.partlyReturned", "purple")
      : label("state.paid", "green")
  }
  if (state === "review" && pending > 0) return label("state.givingBack", "purple")
  return COMING_IN[state]
}

/** What people call the operator; its code is under the technical details. */
export function operatorName({ operator }: Pick<OperationSummary, "operator">): string | null {
  return operator && (operator.label ?? operator.carrier)
}

/** How a payment was paid: as it was started, unless its page may have been paid instead. */
export function flowText(say: Say, { flow, is_payer_unknown }: OperationSummary): string {
  return say(is_payer_unknown ? "flow.other" : `flow.${flow}`)
}

/** A payment by its method, everything else by its type. */
export function kindOf(say: Say, operation: OperationSummary): string {
  const { type } = operation
  return type === "COLLECTION" ? flowText(say, operation) : say(`type.${type}`)
}

/** Below zero where the money goes out: refunds, payouts and transfers. */
export function signedAmount({ type, amount }: Pick<OperationSummary, "type" | "amount">): number {
  return type === "COLLECTION" ? amount : -amount
}

/** When the operation came into its state, in which later events may have left it; ISO, or null. */
export function enteredAt({ state, events }: Pick<OperationDetail, "state" | "events">) {
  const before = events.map((event) => event.state !== state).lastIndexOf(true)
  return events[before + 1]?.at ?? null
}
