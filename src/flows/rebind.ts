/**
 * Medusa makes a payment session anew on many occasions, with the same provider and amount too, and
 * deletes the old one; two posts at a time leave two. The payment goes on: it is pointed to a session
 * that stands, and every id that a storefront was ever given for it leads to it.
 */
import { moneyFromMajor } from "../core/money"
import { isOwedToMedusa, type Operation } from "../core/operation"
import { findById } from "../ledger/find-operations"
import { noteSessions } from "../ledger/note-sessions"
import { rebindOperation } from "../ledger/rebind-operation"
import type { FlowDeps } from "./deps"

/** As much of a payment session of Medusa's as says whether it is for the same payment. */
export type ShownSession = {
  readonly id: string
  readonly providerId: string
  /** Major units, unrounded. */
  readonly amount: string
  readonly currency: string
}

/** Enough to outlive the writers that there are: a look, a second tab. */
const ATTEMPTS = 4

/** Provider, amount (rounded to its currency) and currency agree. */
export function isSessionFor(operation: Operation, session: ShownSession): boolean {
  const { amount, providerId } = operation
  if (session.providerId !== providerId) return false
  if (session.currency.toUpperCase() !== amount.currency) return false
  return moneyFromMajor(session.amount, amount.currency)?.minor === amount.minor
}

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
  const { state } = operation
  return (
    state === "drafted" ||
    state === "submitted" ||
    state === "in_flight" ||
    isOwedToMedusa(operation)
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
  const standing = record.sessions.filter((session) => isSessionFor(live, session))
  const given = shown.filter((session) => isSessionFor(live, session))
  const ids = [...new Set([...standing, ...given].map(({ id }) => id))]
  if (ids.length > 0) await noteSessions(deps.database, live, ids)
  const [heir] = standing
  if (!heir) return false
  const isBoundStanding = standing.some(({ id }) => id === live.paymentSessionId)
  if (!isBoundStanding) await rebind(deps, live, heir.id)
  return true
}
