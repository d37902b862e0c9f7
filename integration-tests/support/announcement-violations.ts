/**
 * What the shop's subscribers heard, against the ledger: every end and every review was told, and
 * nothing that the ledger does not say. Worked out from the events as they stand, by no code of the
 * product.
 */
import type { LedgerEvidence } from "./evidence"

export type Heard = { readonly name: string; readonly eventId: string }

/**
 * By type of operation and name of the event, where the state after it is the one that is meant.
 */
const MUST_BE_HEARD: Readonly<Record<string, string>> = {
  "COLLECTION complete completed": "merchant_payments.collection_completed",
  "COLLECTION complete review": "merchant_payments.review_opened",
  "COLLECTION doubt review": "merchant_payments.review_opened",
  "COLLECTION strand review": "merchant_payments.review_opened",
  "COLLECTION fail failed": "merchant_payments.collection_failed",
  "COLLECTION give_back completed": "merchant_payments.review_closed",
  "REFUND complete completed": "merchant_payments.refund_completed",
  "REFUND complete review": "merchant_payments.review_opened",
  "REFUND doubt review": "merchant_payments.review_opened",
  "REFUND fail failed": "merchant_payments.refund_failed",
  "REFUND expire expired": "merchant_payments.refund_failed",
  ...moneyOutMustBeHeard("PAYOUT"),
  ...moneyOutMustBeHeard("TRANSFER"),
}

function moneyOutMustBeHeard(type: string): Readonly<Record<string, string>> {
  return {
    [`${type} ask drafted`]: "merchant_payments.money_out_asked",
    [`${type} complete completed`]: "merchant_payments.money_out_completed",
    [`${type} fail failed`]: "merchant_payments.money_out_failed",
    [`${type} expire expired`]: "merchant_payments.money_out_failed",
  }
}

export function announcementViolations(
  { operations, events }: Pick<LedgerEvidence, "operations" | "events">,
  heard: readonly Heard[],
): string[] {
  const types = new Map(operations.map(({ id, type }) => [id, type]))
  const told = new Set(heard.map(({ name, eventId }) => `${keyOf(eventId)} ${name}`))
  const untold = events.flatMap(({ operationId, seq, name, state }) => {
    const wanted = MUST_BE_HEARD[`${types.get(operationId)} ${name} ${state}`]
    if (!wanted || told.has(`${operationId}:${seq} ${wanted}`)) return []
    return [`the shop was never told ${wanted} of ${operationId}, event ${seq}`]
  })
  const known = new Map(
    events.map(({ operationId, seq, state }) => [`${operationId}:${seq}`, state]),
  )
  const made = heard.flatMap(({ name, eventId }) => {
    const state = known.get(keyOf(eventId))
    if (state !== undefined && isTrueOf(name, state)) return []
    return [`the shop was told ${name} of ${eventId}, where the ledger says ${state ?? "nothing"}`]
  })
  return [...untold, ...new Set(made)]
}

const keyOf = (eventId: string) => eventId.split(":").slice(0, 2).join(":")

function isTrueOf(name: string, state: string): boolean {
  const [, what = ""] = name.split(".")
  if (what.endsWith("_asked")) return state === "drafted"
  if (what === "review_opened") return state === "review"
  if (what === "review_closed") return state !== "review"
  if (what.endsWith("_completed")) return state === "completed"
  return state === "failed" || state === "expired"
}
