/**
 * The oracle's part about money that waits for a person though nobody had to strand it: Medusa has
 * what was said to be missing, and nothing of what was said to be in the way. Judged once all is
 * quiet; while Medusa replaces sessions and undoes orders, what was read in a moment is gone in the
 * next.
 */
import type { Evidence, LedgerOperation, MedusaEvidence, MedusaPayment } from "./evidence"
import { indexOf } from "./evidence-index"
import { minorOf } from "./minor-of"

export function strandedWithoutCause(evidence: Evidence): string[] {
  const { medusa, ledger } = evidence
  if (!medusa) return []
  return ledger.operations
    .filter(
      ({ type, state, isReturned }) => type === "COLLECTION" && state === "review" && !isReturned,
    )
    .filter((operation) => isStranded(evidence, operation))
    .flatMap((operation) => {
      const why = withoutCause(medusa, operation)
      return why === undefined
        ? []
        : [`I2: ${operation.id} is stranded as ${operation.reason ?? "nothing"}, but ${why}`]
    })
}

/** Money that was brought to Medusa and turned away, and no person has touched it since. */
function isStranded(evidence: Evidence, { id }: LedgerOperation): boolean {
  return indexOf(evidence).eventsByOperation.get(id)?.at(-1)?.name === "strand"
}

function withoutCause(medusa: MedusaEvidence, operation: LedgerOperation): string | undefined {
  const own = new Set([operation.sessionId, ...(operation.sessionIds ?? [])])
  const payments = medusa.payments.filter(
    ({ collectionId }) => collectionId === operation.collectionId,
  )
  switch (operation.reason) {
    case "another_payment":
      if (payments.some(({ sessionId }) => !own.has(sessionId))) return undefined
      // Money that an order got in another way is in no payment of ours; its own is in the way
      // without a cart.
      return (payments.length === 0 && !hasOrder(medusa, operation)) ||
        (payments.length > 0 && hasSession(medusa, operation))
        ? "no other payment is in its collection"
        : undefined
    case "session_gone":
      return hasSession(medusa, operation) ? "its collection has a session for it" : undefined
    case "cart_not_completed":
      return payments.some((payment) => isThere(operation, payment))
        ? "Medusa holds its money in an order that stands"
        : undefined
    default:
      return undefined
  }
}

function hasOrder({ orders = [] }: MedusaEvidence, { collectionId }: LedgerOperation): boolean {
  return orders.some((order) => order.collectionId === collectionId)
}

function hasSession(
  { sessions = [] }: MedusaEvidence,
  { collectionId, providerId, currency, amountMinor }: LedgerOperation,
): boolean {
  return sessions.some(
    (session) =>
      session.collectionId === collectionId &&
      // Medusa takes no money of one provider for a session of another.
      session.providerId === providerId &&
      session.currency === currency &&
      minorOf(session.amount, session.currency) === amountMinor,
  )
}

function isThere(operation: LedgerOperation, payment: MedusaPayment): boolean {
  const { isCaptured, isCanceled, isOrderCanceled, orderId, inOrderAmount, currency } = payment
  return (
    payment.sessionId === operation.sessionId &&
    isCaptured &&
    !isCanceled &&
    orderId !== null &&
    !isOrderCanceled &&
    minorOf(inOrderAmount, currency) === operation.amountMinor
  )
}
