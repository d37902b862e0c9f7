/**
 * The oracle's part about orders that were placed before their money: one that was cancelled for
 * want of payment holds none, and one whose time is over is dealt with, or looked at.
 */
import type { Evidence, LedgerOperation } from "./evidence"
import { groupedBy, indexOf } from "./evidence-index"

/** The longest pause between two tries to cancel an order in Medusa, and a tenth. */
const FURTHEST_TRY_SECONDS = 4_000

export function unpaidOrdersEnd(evidence: Evidence, isQuiet: boolean): string[] {
  const collections = evidence.ledger.operations.filter(({ type }) => type === "COLLECTION")
  const byCollection = groupedBy(collections, ({ collectionId }) => collectionId)
  return [
    ...collections.flatMap(isChecked),
    ...[...byCollection].flatMap(([id, own]) => [
      ...closedHoldsNothing(evidence, id, own),
      ...(isQuiet ? nothingWaitsForEver(evidence, id, own) : []),
    ]),
  ]
}

function isChecked(operation: LedgerOperation): string[] {
  const { id, state, orderWindow, dueInSeconds } = operation
  const isEnded = state === "failed" || state === "expired"
  if (!isEnded || !orderWindow || orderWindow.isDone) return []
  if (dueInSeconds === null)
    return [`I7: ${id} has an order to close, and nobody looks at it again`]
  const latest = Math.max(orderWindow.endsInSeconds + 5, FURTHEST_TRY_SECONDS)
  return dueInSeconds > latest ? [`I7: ${id} is looked at long after its order's time is over`] : []
}

const namesOf = (evidence: Evidence, own: readonly LedgerOperation[]) =>
  own.flatMap(({ id }) =>
    (indexOf(evidence).eventsByOperation.get(id) ?? []).map(({ name }) => name),
  )

function closedHoldsNothing(
  evidence: Evidence,
  collectionId: string,
  own: readonly LedgerOperation[],
): string[] {
  if (!namesOf(evidence, own).includes("order_closed")) return []
  const holding = own.filter(({ state, isReturned }) => state === "completed" && !isReturned)
  const orders = evidence.medusa?.orders?.filter((order) => order.collectionId === collectionId)
  return [
    ...holding.map(
      ({ id }) => `I2: the order of ${id} was cancelled unpaid, but ${id} is completed`,
    ),
    ...(orders ?? [])
      .filter(({ isCanceled }) => !isCanceled)
      .map(({ id }) => `I2: ${id} was cancelled unpaid, but Medusa does not say so`),
  ]
}

function nothingWaitsForEver(
  evidence: Evidence,
  collectionId: string,
  own: readonly LedgerOperation[],
): string[] {
  const isWaiting = own.every(({ state }) => state === "failed" || state === "expired")
  const isOver = own.some(({ orderWindow }) => orderWindow && orderWindow.endsInSeconds < 0)
  if (!isWaiting || !isOver || namesOf(evidence, own).includes("order_left")) return []
  return (evidence.medusa?.orders ?? [])
    .filter((order) => order.collectionId === collectionId && !order.isCanceled)
    .map(({ id }) => `I7: ${id} waits for its money for ever`)
}
