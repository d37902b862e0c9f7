/**
 * The label and colour of an operation's state. A state means something else for incoming and
 * outgoing money, so both are read together.
 */
import type { WordKey } from "../i18n/words"
import type { OperationSummary } from "./responses"

export type Colour = "green" | "red" | "blue" | "orange" | "grey" | "purple"

export type StateLabel = { readonly word: WordKey; readonly colour: Colour }

export type Labelled = Pick<OperationSummary, "type" | "state"> &
  Partial<
    Pick<
      OperationSummary,
      "recorded_at" | "returned_at" | "dismissed_at" | "refund_pending_amount" | "is_duplicate"
    >
  >

/** What people call the operator; its code is under the technical details. */
export function operatorName({ operator }: Pick<OperationSummary, "operator">): string | null {
  return operator && (operator.label ?? operator.carrier)
}

export function labelOf(operation: Labelled): StateLabel {
  if (operation.dismissed_at) return { word: "state.dismissed", colour: "grey" }
  return operation.type === "COLLECTION" ? comingIn(operation) : goingOut(operation)
}

function comingIn(operation: Labelled): StateLabel {
  const { state, recorded_at: recordedAt, returned_at: returnedAt } = operation
  const isGivenBack = (operation.refund_pending_amount ?? 0) > 0
  switch (state) {
    case "drafted":
      return { word: "state.drafted", colour: "grey" }
    case "submitted":
    case "in_flight":
      return { word: "state.waiting", colour: "blue" }
    case "completed":
      if (returnedAt) return { word: "state.returned", colour: "purple" }
      return recordedAt
        ? { word: "state.paid", colour: "green" }
        : { word: "state.recording", colour: "blue" }
    case "failed":
      return { word: "state.failed", colour: "red" }
    case "expired":
      return { word: "state.expired", colour: "grey" }
    case "review":
      return isGivenBack
        ? { word: "state.givingBack", colour: "purple" }
        : { word: "state.review", colour: "orange" }
  }
}

function goingOut({ state }: Labelled): StateLabel {
  switch (state) {
    case "drafted":
    case "submitted":
    case "in_flight":
      return { word: "state.onItsWay", colour: "blue" }
    case "completed":
      return { word: "state.arrived", colour: "green" }
    case "failed":
    case "expired":
      return { word: "refunds.failed", colour: "red" }
    case "review":
      return { word: "state.review", colour: "orange" }
  }
}
