/**
 * What Medusa is to be told of a refund that it asked for, from what Medusa holds of it. Pure.
 *
 * Medusa writes in three steps, each committed by itself: its refund row, then, when the provider has
 * said yes, the order's transaction, then a credit line. A process may die between any two, and the
 * click after that has another row. So the row alone proves nothing, and what is missing is done again
 * as a whole, under a mark by which the provider knows that nobody asks for money (`refundMark`).
 *
 * Two ways lead there. Medusa's own refund workflow writes all three, but refuses a cancelled order
 * after it has written the first, and would write a second transaction where cancelling has written one
 * already. There, row, transaction and credit line are written one by one.
 */
import { LIMITS } from "./limits"
import { compareDecimals } from "./money"
import { hasEnded, isHostRefund, type Operation } from "./operation"

/** A transaction of an order that gives money back, removed or not. */
export type HostTransaction = {
  readonly id: string
  /** The refund row that it is of; cancelling an order names the payment instead. */
  readonly referenceId: string
  /** Positive, in major units. */
  readonly amount: string
  /** Of the order when it was written. */
  readonly version: number
  readonly isRemoved: boolean
}

/** A credit line as it was first written; each later version of the order copies it. */
export type HostCreditLine = {
  /** All its copies. */
  readonly ids: readonly string[]
  readonly referenceId: string | null
  readonly amount: string
  /** The version of the order that it made. */
  readonly madeVersion: number
  readonly isRemoved: boolean
}

/** What Medusa holds of one refund, all read at one moment. */
export type ShownRefund = {
  readonly paymentId: string
  readonly order: { readonly id: string; readonly isCanceled: boolean } | null
  /** Rows that stand: the one that the refund is bound to, and those that carry its mark. */
  readonly rows: readonly {
    readonly id: string
    readonly isBound: boolean
    readonly isMarked: boolean
  }[]
  /** Of those rows, also of such as were removed; and the one that cancelling the order wrote for it. */
  readonly transactions: readonly HostTransaction[]
  /** All refunds of the order, by the order in which they were written. */
  readonly allTransactions: readonly HostTransaction[]
  readonly creditLines: readonly HostCreditLine[]
}

export type Delivery =
  | { readonly kind: "record" }
  /** Whoever asked may still be at it. */
  | { readonly kind: "wait"; readonly ms: number }
  /** What is missing beside this row is written one by one. */
  | { readonly kind: "complete"; readonly rowId: string }
  /** These rows are of no use; then all of it again. */
  | {
      readonly kind: "repeat"
      readonly staleRowIds: readonly string[]
      readonly isByWorkflow: boolean
    }
  | { readonly kind: "stuck"; readonly why: string }

/** Money that went back, or is on its way, and that Medusa asked for and may not know of yet. */
export function isUndelivered(refund: Operation): boolean {
  const isGoing = refund.state === "in_flight" && refund.failedAt === null
  return (
    isHostRefund(refund) &&
    refund.recordedAt === null &&
    !refund.surplus &&
    (refund.state === "completed" || isGoing)
  )
}

/** Medusa asked for it, and may show what did not happen. */
export function isToUndo(refund: Operation): boolean {
  return isHostRefund(refund) && hasEnded(refund) && refund.undoneAt === null
}

/** Until Medusa surely writes no more of it by itself: its process has gone on, or died. */
export function hostQuietInMs(refund: Operation): number {
  const { answeredAt, createdAt, readAt } = refund
  const quietAt = answeredAt
    ? answeredAt.getTime() + LIMITS.refundHostQuietMs
    : createdAt.getTime() + LIMITS.leaseMs
  return Math.max(0, quietAt - readAt.getTime())
}

export function decideDelivery(refund: Operation, held: ShownRefund | undefined): Delivery {
  if (!held) return { kind: "stuck", why: "Medusa holds no captured payment of it" }
  const bound = held.rows.find(({ isBound }) => isBound)
  const isDirect = isWrittenDirectly(held)
  const isWhole = held.order === null || standing(held).length > 0
  if (bound && isDirect && bound.isMarked) return { kind: "complete", rowId: bound.id }
  if (bound && isWhole) return { kind: "record" }
  const ms = hostQuietInMs(refund)
  if (ms > 0) return { kind: "wait", ms }
  if (bound && isDirect) return { kind: "complete", rowId: bound.id }
  return {
    kind: "repeat",
    staleRowIds: held.rows.map(({ id }) => id),
    isByWorkflow: !isDirect,
  }
}

/** The workflow would refuse, or write a transaction beside the one of the cancelling. */
function isWrittenDirectly(held: ShownRefund): boolean {
  const { order, paymentId } = held
  if (order === null || order.isCanceled) return true
  return standing(held).some(({ referenceId }) => referenceId === paymentId)
}

export function standing(held: ShownRefund): readonly HostTransaction[] {
  return held.transactions.filter(({ isRemoved }) => !isRemoved)
}

/** What is taken away from Medusa of a refund that did not go through. */
export type Undo = {
  readonly creditLineIds: readonly string[]
  readonly transactionIds: readonly string[]
  readonly rowIds: readonly string[]
  /** The order's sums have, or had, a part of it. */
  readonly isInOrder: boolean
}

export function decideUndo(held: ShownRefund): Undo {
  const lines = held.transactions.flatMap((transaction) => creditLineOf(transaction, held) ?? [])
  return {
    creditLineIds: lines.filter(({ isRemoved }) => !isRemoved).flatMap(({ ids }) => ids),
    transactionIds: standing(held).map(({ id }) => id),
    rowIds: held.rows.map(({ id }) => id),
    isInOrder: held.order !== null && held.transactions.length > 0,
  }
}

/**
 * The credit line that came with a transaction. Ours names the refund row; Medusa's names neither, so it
 * is told by the order's version: a refund writes its transaction, and its credit line then makes the
 * next version. Where several refunds were written at once, those of one amount are told apart by the
 * order in which they came. One that is larger than the transaction is of several payments together, and
 * is left alone.
 */
export function creditLineOf(
  transaction: HostTransaction,
  {
    rows,
    allTransactions,
    creditLines,
  }: Pick<ShownRefund, "rows" | "allTransactions" | "creditLines">,
): HostCreditLine | undefined {
  const ours = [transaction.referenceId, ...rows.map(({ id }) => id)]
  const own = creditLines.find(({ referenceId }) => ours.some((id) => id === referenceId))
  if (own) return own
  const { version } = transaction
  const atOnce = allTransactions.filter((other) => other.version === version)
  const candidates = creditLines.filter(
    ({ madeVersion }) => madeVersion > version && madeVersion <= version + atOnce.length,
  )
  const sameAmount = ({ amount }: { readonly amount: string }) =>
    compareDecimals(amount, transaction.amount) === 0
  const rank = atOnce.filter(sameAmount).findIndex(({ id }) => id === transaction.id)
  const exact = candidates.filter(sameAmount)[rank]
  if (exact) return exact
  // Medusa owed a part already: the line is of the rest. Only where nobody else's can be meant.
  const [smaller] = candidates.filter((line) => isLess(line.amount, transaction.amount))
  return atOnce.length === 1 ? smaller : undefined
}

function isLess(one: string, other: string): boolean {
  return (compareDecimals(one, other) ?? 0) < 0
}
