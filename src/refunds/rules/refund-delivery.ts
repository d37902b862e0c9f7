/**
 * What Medusa is to be told of a refund that it asked for, from what Medusa holds of it. Pure.
 *
 * Medusa writes in three steps, each committed by itself: its refund row, then, when the provider
 * has said yes, the order's transaction, then a credit line. A process may die between any two, the
 * click after that has another row, and another refund's workflow may have written into this one's.
 * So amounts are compared, not presence, and what is missing or wrong is made right under a mark by
 * which the provider knows that nobody asks for money (`refundMark`).
 *
 * Two ways lead there. Medusa's own refund workflow writes all three, but refuses a cancelled order
 * after it has written the first, would write a second transaction where cancelling has written one
 * already, and writes a wrong one for every other row that waits for its own. There, row,
 * transaction and credit line are written one by one.
 */
import { LIMITS } from "../../core/limits"
import { hasEnded, isHostRefund, type Operation } from "../../core/operation"
import { markedRefund } from "./adopt-refund"
import {
  creditLineOf,
  falseTransactions,
  hasOpenRow,
  isNobodys,
  isOwnRow,
  isTrue,
  lineIsMissing,
  namedLines,
  ofCanceling,
  ofRow,
  rowsOf,
  sameAmount,
  type HostRow,
  type HostTransaction,
  type Known,
} from "./refund-books"

/** What stands beside a row that stays, and what is to be made of it. */
export type Completion = {
  readonly rowId: string
  /** Of no refund, or of a wrong amount. */
  readonly falseIds: readonly string[]
  /** Made for it, and not the one that it is bound to. */
  readonly staleRowIds: readonly string[]
  readonly isInTransactions: boolean
  readonly isLineMissing: boolean
}

export type Delivery =
  /** @property isLineUnclear something may be open in its order, and nobody can tell by what */
  | { readonly kind: "record"; readonly isLineUnclear: boolean }
  /** Whoever asked may still be at it, so long at most. */
  | { readonly kind: "wait"; readonly ms: number }
  /** What is missing beside this row is written one by one. */
  | ({ readonly kind: "complete" } & Completion)
  /** These rows and transactions are of no use; then all of it again. */
  | {
      readonly kind: "repeat"
      readonly falseIds: readonly string[]
      readonly staleRowIds: readonly string[]
      readonly isByWorkflow: boolean
    }
  | { readonly kind: "stuck" }

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

/**
 * Until Medusa surely writes no more of it by itself: its process has gone on, or died. One that
 * was never told yes heard no at the latest when the refund had its end.
 */
export function hostQuietInMs(refund: Operation): number {
  const { answeredAt, createdAt, lastSentAt, failedAt, checkedAt, readAt } = refund
  const ends = hasEnded(refund) ? [lastSentAt, failedAt, checkedAt] : []
  const endMs = Math.max(0, ...ends.map((moment) => moment?.getTime() ?? 0))
  const quietAt = answeredAt
    ? answeredAt.getTime() + LIMITS.refundHostQuietMs
    : Math.max(createdAt.getTime() + LIMITS.leaseMs, endMs + LIMITS.refundHostQuietMs)
  return Math.max(0, quietAt - readAt.getTime())
}

export function decideDelivery(refund: Operation, known: Known | undefined): Delivery {
  if (!known) return { kind: "stuck" }
  const { books } = known
  const rows = rowsOf(refund, books)
  const bound = rows.find(({ id }) => id === refund.hostRefundId)
  const staleRowIds = rows.filter((row) => row !== bound).map(({ id }) => id)
  const right = bound && rightTransaction(refund, bound, known)
  const falseIds = falseOf(refund, right, known).map(({ id }) => id)
  const isDirect = isWrittenDirectly(refund, known) || falseIds.length > 0
  const isLineMissing = bound !== undefined && lineOf(refund, right, bound, isDirect, known)
  const isTidy = staleRowIds.length + falseIds.length === 0
  const isShown = bound !== undefined && (books.order === null || right !== undefined)
  const othersMs = othersInMs(known)
  const isDone = isShown && isTidy && othersMs === 0 && isCounted(known)
  if (isDone && isLineMissing !== true)
    return { kind: "record", isLineUnclear: isLineMissing === "unclear" }
  const ms = Math.max(hostQuietInMs(refund), othersMs, madeJustNowInMs(rows, refund))
  if (ms > 0) return { kind: "wait", ms }
  if (bound && (right || isDirect)) {
    const isInTransactions = right !== undefined
    return {
      kind: "complete",
      rowId: bound.id,
      falseIds,
      staleRowIds,
      isInTransactions,
      isLineMissing: isLineMissing === true,
    }
  }
  return {
    kind: "repeat",
    falseIds,
    staleRowIds: rows.map(({ id }) => id),
    isByWorkflow: !isDirect,
  }
}

/** In the row's name, else what cancelling the order has written for it; of its amount. */
function rightTransaction(
  refund: Operation,
  bound: HostRow,
  known: Known,
): HostTransaction | undefined {
  const standing = [...ofRow(bound, known.books), ...ofCanceling(refund, known)].filter(
    ({ isRemoved }) => !isRemoved,
  )
  return standing.find(({ amount }) => sameAmount(amount, refund.hostAmount))
}

/**
 * What stands in the name of its rows and is not its transaction, and what its workflow wrote
 * besides.
 */
function falseOf(
  refund: Operation,
  right: HostTransaction | undefined,
  known: Known,
): readonly HostTransaction[] {
  const { books } = known
  const own = new Set(books.rows.filter((row) => isOwnRow(row, refund)).map(({ id }) => id))
  const ofOwn = books.transactions.filter(
    (one) => !one.isRemoved && own.has(one.referenceId) && one.id !== right?.id,
  )
  const others = falseTransactions(known).filter(({ id }) => !ofOwn.some((one) => one.id === id))
  return [...ofOwn, ...others]
}

function lineOf(
  refund: Operation,
  right: HostTransaction | undefined,
  bound: HostRow,
  isDirect: boolean,
  known: Known,
): boolean | "unclear" {
  const { books } = known
  const isNamed = namedLines([bound.id], books).some(({ isRemoved }) => !isRemoved)
  if (isNamed || books.order === null) return false
  if (!right) return true
  const missing = lineIsMissing(right, known)
  // Nobody but us writes the line of such a row.
  const isOurs = isDirect && markedRefund(bound.createdBy) !== undefined
  return isOurs && missing === "unclear" ? true : missing
}

/**
 * The workflow would refuse, or write a transaction too many. What it has refused some times is
 * written directly, too: an order that is being edited takes no credit line from it.
 */
function isWrittenDirectly(refund: Operation, known: Known): boolean {
  const { books } = known
  if (books.order === null || books.order.isCanceled || isRefused(refund)) return true
  const isOpen = hasOpenRow(books, (row) => !isOwnRow(row, refund))
  return isOpen || ofCanceling(refund, known).some(({ isRemoved }) => !isRemoved)
}

function isRefused({ settleAttempts }: Operation): boolean {
  return settleAttempts >= LIMITS.refundWorkflowTries
}

/**
 * Until it is known of every young row that nobody has asked for yet whether its click is refused:
 * what another's workflow has written in its name is false then, and is put right by its own refund
 * else.
 */
function othersInMs({ books, refunds }: Known): number {
  const waits = books.rows
    .filter(
      (row) =>
        !row.isRemoved &&
        isNobodys(row, refunds) &&
        ofRow(row, books).some(({ isRemoved }) => !isRemoved),
    )
    .map(({ ageMs }) => LIMITS.leaseMs - ageMs)
  return Math.max(0, ...waits)
}

/** A worker whose lease has ended may still be at a row that it made for the refund. */
function madeJustNowInMs(rows: readonly HostRow[], refund: Operation): number {
  const waits = rows
    .filter(({ id }) => id !== refund.hostRefundId)
    .map(({ ageMs }) => LIMITS.refundHostQuietMs - ageMs)
  return Math.max(0, ...waits)
}

/** The sums of order and collection are those of what stands in them. */
export function isCounted(known: Known): boolean {
  const { order, isCollectionCounted } = known.books
  return order?.isCounted !== false && (isCollectionCounted || isInBetween(known))
}

/** While a row is young and nobody's, Medusa has not counted it yet, or is going to delete it. */
export function isInBetween({ books, refunds }: Known): boolean {
  return books.rows.some(
    (row) => !row.isRemoved && isNobodys(row, refunds) && row.ageMs <= LIMITS.leaseMs,
  )
}

/** What is taken away from Medusa of a refund that did not go through. */
export type Undo = {
  readonly creditLineIds: readonly string[]
  readonly transactionIds: readonly string[]
  readonly rowIds: readonly string[]
  /** The order's sums have, or had, a part of it. */
  readonly isInOrder: boolean
  /** A credit line may be left, and nobody can tell whose it is. */
  readonly isLineUnclear: boolean
}

export function decideUndo(refund: Operation, known: Known): Undo {
  const { books } = known
  const own = books.rows.filter((row) => isOwnRow(row, refund))
  // Another's workflow may have written into a row that Medusa has deleted since.
  const ids = new Set([...own.map(({ id }) => id), ...[refund.hostRefundId ?? []].flat()])
  const ofRows = books.transactions.filter(({ referenceId }) => ids.has(referenceId))
  const transactions = [...ofRows, ...ofCanceling(refund, known)]
  const named = namedLines(
    own.map(({ id }) => id),
    books,
  )
  // For one that was never told yes Medusa has written no line.
  const isUnnamed = named.length === 0 && refund.answeredAt !== null
  const beside = isUnnamed ? transactions.map((one) => lineBeside(one, known)) : []
  const lines = [...named, ...beside.flatMap((line) => (line && line !== "unclear" ? line : []))]
  return {
    creditLineIds: lines.filter(({ isRemoved }) => !isRemoved).flatMap(({ ids }) => ids),
    transactionIds: transactions.filter(({ isRemoved }) => !isRemoved).map(({ id }) => id),
    rowIds: rowsOf(refund, books).map(({ id }) => id),
    isInOrder: books.order !== null && transactions.length + named.length > 0,
    isLineUnclear: beside.includes("unclear"),
  }
}

function lineBeside(transaction: HostTransaction, known: Known) {
  return isTrue(transaction, known) ? creditLineOf(transaction, known) : undefined
}
