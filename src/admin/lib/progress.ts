/** The steps of a payment on its page, each with the time at which the payment reached it. */
import { enteredAt, labelOf } from "./operation-state"
import type { OperationDetail } from "./responses"
import type { Say } from "./words"

type Step = {
  readonly text: string
  /** The ISO time at which the payment reached the step; null: it has not. */
  readonly at: string | null
  readonly isBad?: true
}

/** Events that end a payment otherwise; the last one says when it ended. */
const STOPS = ["fail", "expire", "dismiss", "doubt", "strand", "give_back", "returned"]

/** How far a payment has come: created, sent, approved, recorded; or where it ended instead. */
export function stepsOf(say: Say, operation: OperationDetail): readonly Step[] {
  const { type, state, events, created_at, submitted_at, money_at, recorded_at } = operation
  const lastOf = (names: readonly string[]) =>
    [...events].reverse().find(({ name }) => names.includes(name))?.at ?? null
  const isComingIn = type === "COLLECTION"
  const begun: Step[] = [
    { text: say("progress.created"), at: created_at },
    { text: say("progress.sent"), at: submitted_at },
  ]
  const arrivedText = say(isComingIn ? "progress.approved" : "state.arrived")
  // An admin's decision comes later, and is no time of the money.
  const arrived: Step = { text: arrivedText, at: money_at }
  const recorded: Step = { text: say("progress.recorded"), at: recorded_at }
  const isStopped = ["failed", "expired", "review"].includes(state)
  const { word } = labelOf(operation)
  const stoppedAt = word === "state.review" ? enteredAt(operation) : lastOf(STOPS)
  const stop: Step = { text: say(word), at: stoppedAt ?? operation.checked_at, isBad: true }
  if (isStopped) return [...begun, ...(money_at && isComingIn ? [arrived] : []), stop]
  const back: Step = { text: say(word), at: operation.returned_at }
  if (operation.returned_at) {
    return [...begun, arrived, ...(recorded_at ? [recorded] : []), back]
  }
  return [...begun, arrived, ...(isComingIn ? [recorded] : [])]
}
