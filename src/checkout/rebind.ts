/**
 * Medusa often makes a payment session anew, also with the same provider and amount, and deletes
 * the old one; two posts at once leave two sessions. The payment goes on: its operation is bound to
 * a session that exists, and every session id that a storefront ever got still leads to it.
 */
import type { PaymentSessionId } from "../core/ids"
import {
  ofMedusa,
  isOwedToMedusa,
  isSessionFor,
  type Operation,
  type ShownSession,
} from "../core/operation"
import { findById } from "../ledger/find-operations"
import type { FlowDeps } from "../engine/deps"
import { noteSessions, rebindOperation } from "./sql/rebind-operation"

/** More tries than there are other writers at once: a check, a second tab. */
const ATTEMPTS = 4

/**
 * @returns the operation bound to the session; as it was, if it can't be or others write each time
 */
export async function rebind(
  deps: Pick<FlowDeps, "database">,
  operation: Operation,
  sessionId: PaymentSessionId,
): Promise<Operation> {
  let current = operation
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (current.paymentSessionId === sessionId || !canBeRebound(current)) return current
    const bound = await rebindOperation(deps.database, current, sessionId)
    if (bound) return bound
    current = (await findById(deps.database, operation.id)) ?? current
  }
  return current
}

/** Recorded money stays on the session that Medusa has, and an ended payment needs no new one. */
function canBeRebound(operation: Operation): boolean {
  return (
    ["drafted", "submitted", "in_flight"].includes(operation.state) || isOwedToMedusa(operation)
  )
}

/**
 * A storefront has posted a payment session for the payment collection of a live operation.
 *
 * @param shown the sessions in Medusa's answer; some may be deleted by now
 * @returns false when the collection has no session for this payment any more
 */
export async function followSessions(
  deps: Pick<FlowDeps, "database" | "medusa">,
  live: Operation,
  shown: readonly ShownSession[],
): Promise<boolean> {
  const { paymentCollectionId, providerId } = ofMedusa(live)
  const record = await deps.medusa.record(paymentCollectionId, providerId)
  const existing = record.sessions.filter((session) => isSessionFor(live, session))
  const given = shown.filter((session) => isSessionFor(live, session))
  const ids = [...new Set([...existing, ...given].map(({ id }) => id))]
  if (ids.length > 0) await noteSessions(deps.database, live, ids)
  const [replacement] = existing
  if (!replacement) return false
  const isBoundExisting = existing.some(({ id }) => id === live.paymentSessionId)
  if (!isBoundExisting) await rebind(deps, live, replacement.id)
  return true
}
