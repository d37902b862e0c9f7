/**
 * Medusa makes a payment session anew on many occasions, with the same provider and amount too, and
 * deletes the old one; two posts at a time leave two. The payment goes on: it is pointed to a
 * session that stands, and every id that a storefront was ever given for it leads to it.
 */
import { isOwedToMedusa, isSessionFor, type Operation, type ShownSession } from "../core/operation"
import { findById } from "../ledger/find-operations"
import type { FlowDeps } from "../engine/deps"
import { noteSessions, rebindOperation } from "./sql/rebind-operation"

/** Enough to outlive the writers that there are: a check, a second tab. */
const ATTEMPTS = 4

/** The operation as it is bound now; as it was, if others write without end. */
export async function rebind(
  deps: Pick<FlowDeps, "database">,
  operation: Operation,
  sessionId: string,
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

/** Recorded money stays where Medusa has it, and what has ended needs no new session. */
function canBeRebound(operation: Operation): boolean {
  return (
    ["drafted", "submitted", "in_flight"].includes(operation.state) || isOwedToMedusa(operation)
  )
}

/**
 * A storefront has posted a session for the collection of a live operation.
 *
 * @param shown what Medusa answered it with; some may be deleted by now
 * @returns false when the collection has no session for this payment any more
 */
export async function followSessions(
  deps: Pick<FlowDeps, "database" | "host">,
  live: Operation,
  shown: readonly ShownSession[],
): Promise<boolean> {
  const record = await deps.host.record(live.paymentCollectionId, live.providerId)
  const existing = record.sessions.filter((session) => isSessionFor(live, session))
  const given = shown.filter((session) => isSessionFor(live, session))
  const ids = [...new Set([...existing, ...given].map(({ id }) => id))]
  if (ids.length > 0) await noteSessions(deps.database, live, ids)
  const [heir] = existing
  if (!heir) return false
  const isBoundExisting = existing.some(({ id }) => id === live.paymentSessionId)
  if (!isBoundExisting) await rebind(deps, live, heir.id)
  return true
}
