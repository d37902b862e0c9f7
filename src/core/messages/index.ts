/**
 * The server's English, for logs and API answers: what each code says. The ledger keeps codes and
 * facts, and programs rely on them. The admin's pages take these texts for English, and others for
 * other languages.
 */
import { DIFFERENCE, INCOMPLETE } from "./difference.en"
import { EVENT } from "./event.en"
import { fillHoles } from "./fill-holes"
import { HEALTH } from "./health.en"
import { END, NOT_POSSIBLE, REVIEW, UNKNOWN } from "./reason.en"

export const MESSAGES = {
  event: EVENT,
  health: HEALTH,
  difference: DIFFERENCE,
  incomplete: INCOMPLETE,
  reason: { ...END, ...REVIEW, ...UNKNOWN },
  not_possible: NOT_POSSIBLE,
}

export type EventCode = keyof typeof EVENT
export type HealthCode = keyof typeof HEALTH
export type DifferenceCode = keyof typeof DIFFERENCE
/** Why a comparison is not complete. */
export type IncompleteCode = keyof typeof INCOMPLETE
/** Why an action is not possible; the codes that the action's route would answer. */
export type NotPossible = keyof typeof NOT_POSSIBLE

/** Ids, amounts, states and counts that a text may name, as `{{name}}`. */
export type Facts = Readonly<Record<string, unknown>>

/** What happened, as the ledger keeps it. */
export type Message = { readonly code: EventCode; readonly facts?: Facts }

/** Why it ended; of a reason that is not recognised, what the gateway wrote, if it did. */
export function endSentence(reason: string | null, said: string | null = null): string {
  const isSaid = said !== null && said.trim() !== "" && (reason ?? "unknown") === "unknown"
  return isSaid
    ? sentence("reason", "unknown_said", { said })
    : sentence("reason", reason ?? "unknown")
}

/** The text of a code. A code that this version has no text for is written as it is. */
export function sentence(area: keyof typeof MESSAGES, code: string, facts: Facts = {}): string {
  const texts: Readonly<Record<string, string>> = MESSAGES[area]
  const text = Object.hasOwn(texts, code) ? texts[code] : undefined
  return fillHoles(text ?? code.replaceAll("_", " "), facts)
}
