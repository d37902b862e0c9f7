/** What stays of a payment that was given back: recorded money stays paid, other money never was. */
import { LIMITS } from "./limits"
import type { Money } from "./money"
import { receivedOf, type Operation } from "./operation"

/** Medusa has had the money, whatever went back since: for its shopper it stays paid. */
export function wasRecorded({ type, state, recordedAt }: Operation): boolean {
  return type === "COLLECTION" && state === "completed" && recordedAt !== null
}

/**
 * What an admin accepted of a payment beyond its amount, and did not go back since. Medusa records
 * the amount and never this.
 */
export function beyondAmountOf(operation: Operation): Money | null {
  const { amount, refundedMinor, takenBackAt } = operation
  const received = receivedOf(operation)
  if (!wasRecorded(operation) || takenBackAt !== null || !received) return null
  const explained = refundedMinor > amount.minor ? refundedMinor : amount.minor
  return received.minor > explained ? { ...received, minor: received.minor - explained } : null
}

/**
 * Whether who reads STATUS is given what opens the order: its id, and the links of its receipts. A
 * guest's session id stands in addresses and logs, so it opens them only while the page that paid
 * may be open. Medusa shows an order to anyone who has its id.
 *
 * @param isLoggedIn whether the reader is the registered customer whose payment it is
 */
export function opensOrder(operation: Operation, isLoggedIn: boolean): boolean {
  const { recordedAt, returnedAt, readAt } = operation
  const since = recordedAt ?? returnedAt
  const isFresh = since !== null && readAt.getTime() - since.getTime() < LIMITS.receiptShownForMs
  return isFresh || isLoggedIn
}

/**
 * What the operator gave back to the payer of a payment that it took back; null: nothing. What was
 * refunded before is not in it, so that both together never exceed what was paid.
 */
export function takenBackOf(operation: Operation): Money | null {
  const { type, takenBackAt, refundedMinor } = operation
  const received = receivedOf(operation)
  if (type !== "COLLECTION" || takenBackAt === null || !received) return null
  const minor = received.minor - refundedMinor
  return minor > 0n ? { ...received, minor } : null
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
