/** What stays of a payment that was given back: recorded money stays paid, other money never was. */
import type { Operation } from "./operation"

/** Medusa has had the money, whatever went back since: for its shopper it stays paid. */
export function wasRecorded({ type, state, recordedAt }: Operation): boolean {
  return type === "COLLECTION" && state === "completed" && recordedAt !== null
}

/** The money went back before Medusa recorded it: the purchase can be paid again. */
export function isReturnedUnrecorded(operation: Operation): boolean {
  return operation.state === "completed" && operation.returnedAt !== null && !wasRecorded(operation)
}

/**
 * The reason that still holds. What once stopped a payment or held it for an admin stays in its
 * events, and says nothing about money that has come in since. Of money that was given back, the
 * reason says why.
 */
export function standingReason({ state, returnedAt, reason }: Operation): string | null {
  return state === "completed" && returnedAt === null ? null : reason
}
