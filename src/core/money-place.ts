/**
 * Where the money of a payment is: in one place, as a whole. The comparison adds up the places, and
 * the list finds the rows of each by the same rule in SQL (`MONEY_IS`); a test compares both.
 */
import { hasEnded, receivedOf, type Operation } from "./operation"

/** In the order of the reconciliation's page. */
export const MONEY_PLACES = [
  "recorded",
  "under_review",
  "given_back",
  "dismissed",
  "under_way",
] as const
export type MoneyPlace = (typeof MONEY_PLACES)[number]

type Placed = Pick<
  Operation,
  "type" | "state" | "amount" | "collected" | "recordedAt" | "returnedAt" | "sourceStatus"
>

/** @returns undefined: no money is known to have come in */
export function moneyPlaceOf(operation: Placed): MoneyPlace | undefined {
  const { type, state, recordedAt, returnedAt, sourceStatus } = operation
  if (type !== "COLLECTION") return undefined
  const isReceived = receivedOf(operation) !== null
  if (!isReceived && (hasEnded(operation) || sourceStatus !== "PAID")) return undefined
  if (recordedAt !== null) return "recorded"
  if (state === "review") return "under_review"
  if (returnedAt !== null) return "given_back"
  return hasEnded(operation) ? "dismissed" : "under_way"
}
