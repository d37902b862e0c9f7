/**
 * In which words and colour an operation stands there. The same state means something else of money that
 * comes in than of money that goes out, so kind and state are read together.
 */
import { en, type WordKey } from "../i18n/words"
import type { DeskSummary } from "./answers"

export type Colour = "green" | "red" | "blue" | "orange" | "grey" | "purple"

export type Standing = { readonly word: WordKey; readonly colour: Colour }

export type Stands = Pick<DeskSummary, "type" | "state"> &
  Partial<
    Pick<
      DeskSummary,
      "recorded_at" | "returned_at" | "dismissed_at" | "refund_pending_amount" | "surplus"
    >
  >

export function standingOf(operation: Stands): Standing {
  if (operation.dismissed_at) return { word: "state.dismissed", colour: "grey" }
  return operation.type === "COLLECTION" ? comingIn(operation) : goingOut(operation)
}

function comingIn(operation: Stands): Standing {
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

function goingOut({ state }: Stands): Standing {
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

type MedusaStatus =
  Extract<WordKey, `medusaStatus.${string}`> extends `medusaStatus.${infer Name}` ? Name : never

/** Medusa's code for the state of an order or of its payment, in words; one that is new, as it is. */
export function medusaStatus(say: (key: WordKey) => string, code: string): string {
  return isKnown(code) ? say(`medusaStatus.${code}`) : code.replaceAll("_", " ")
}

function isKnown(code: string): code is MedusaStatus {
  return Object.hasOwn(en.medusaStatus, code)
}
