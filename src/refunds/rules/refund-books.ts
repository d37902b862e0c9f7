/**
 * What Medusa holds of a payment's refunds, and whose it is. Pure.
 *
 * Medusa's refund workflow writes a transaction for every refund row of the payment that has none,
 * each of the amount that it was itself asked for. So a transaction that names a row proves little:
 * the row may be of a click that was refused since and is gone, of a process that died before it
 * asked anybody, or of another refund that is being made at the same moment. Only one that its
 * row's own request can have written, of the row's amount, is true.
 *
 * Credit lines name nobody. Each is told by the version of the order that it made; where two could
 * be meant, and their amounts differ, none is taken for either.
 */
import { LIMITS } from "../../core/limits"
import { compareDecimals } from "../../core/money"
import { hasEnded, type Operation } from "../../core/operation"
import { markedRefund } from "./adopt-refund"

/** A refund row of the payment, also one that was removed. */
export type HostRow = {
  readonly id: string
  /** In major units, not rounded. */
  readonly amount: string
  /** The id of a person, the job's mark, or nothing. */
  readonly createdBy: string | null
  readonly ageMs: number
  readonly isRemoved: boolean
}

/** A transaction of an order that gives money back, removed or not. */
export type HostTransaction = {
  readonly id: string
  /** The refund row that it is of; cancelling an order names the payment instead. */
  readonly referenceId: string
  /**
   * The payment that it names, or whose row it names; this one where that row is deleted for good
   * and all payments of the order are ours. Null: another provider may know.
   */
  readonly paymentId: string | null
  /** Positive, in major units. */
  readonly amount: string
  /** Of the order when it was written. */
  readonly version: number
  readonly ageMs: number
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

/** What Medusa holds of one payment's refunds, all read at one moment. */
export type RefundBooks = {
  readonly paymentId: string
  readonly order: {
    readonly id: string
    readonly isCanceled: boolean
    readonly version: number
    /** What the customer still has to pay, without what comes back; never below 0. */
    readonly open: string
    /** Its sums are those of its transactions and credit lines. */
    readonly isCounted: boolean
  } | null
  /** The payment collection's sum is that of its rows, and it is closed where its order is. */
  readonly isCollectionCounted: boolean
  readonly rows: readonly HostRow[]
  /** Of the order, also those of its other payments, by the order in which they were written. */
  readonly transactions: readonly HostTransaction[]
  readonly creditLines: readonly HostCreditLine[]
}

/** What Medusa holds, beside all refunds of the payment that the ledger knows. */
export type Known = { readonly books: RefundBooks; readonly refunds: readonly Operation[] }

const ROW = "ref_"

export function sameAmount(one: string | null, other: string | null): boolean {
  return compareDecimals(one, other) === 0
}

/** The row that the refund is bound to, and those that were made for it. */
export function isOwnRow({ id, createdBy }: HostRow, refund: Operation): boolean {
  return id === refund.hostRefundId || markedRefund(createdBy) === refund.id
}

export function rowsOf(refund: Operation, { rows }: RefundBooks): readonly HostRow[] {
  return rows.filter((row) => !row.isRemoved && isOwnRow(row, refund))
}

/**
 * Neither bound to a refund of the ledger nor made by the job: nobody has asked for it, or not yet.
 */
export function isNobodys(row: HostRow, refunds: readonly Operation[]): boolean {
  return (
    markedRefund(row.createdBy) === undefined &&
    !refunds.some(({ hostRefundId }) => hostRefundId === row.id)
  )
}

/** Its own request can have written it. Those of the order's other payments are not judged. */
export function isTrue(transaction: HostTransaction, { books, refunds }: Known): boolean {
  const { referenceId, paymentId, amount, ageMs, isRemoved } = transaction
  if (paymentId !== books.paymentId || referenceId === books.paymentId) return true
  const row = books.rows.find(({ id }) => id === referenceId)
  if (!row || !sameAmount(row.amount, amount) || (row.isRemoved && !isRemoved)) return false
  // No request lives longer, so it was another's that wrote it.
  return !isNobodys(row, refunds) || row.ageMs - ageMs <= LIMITS.leaseMs
}

/**
 * The transactions that stand and are of no refund: of rows that are gone, or that nobody asked
 * for. One whose row is bound is its own refund's to put right.
 */
export function falseTransactions(known: Known): readonly HostTransaction[] {
  const { books, refunds } = known
  return books.transactions.filter((one) => {
    if (one.isRemoved || isTrue(one, known)) return false
    const row = books.rows.find(({ id, isRemoved }) => id === one.referenceId && !isRemoved)
    return row === undefined || isNobodys(row, refunds)
  })
}

export function ofRow(
  { id }: Pick<HostRow, "id">,
  { transactions }: RefundBooks,
): readonly HostTransaction[] {
  return transactions.filter(({ referenceId }) => referenceId === id)
}

/**
 * A row, of these or of all, that waits for its transaction: the workflow would write it a wrong
 * one.
 */
export function hasOpenRow(
  books: RefundBooks,
  isMeant: (row: HostRow) => boolean = () => true,
): boolean {
  return books.rows.some((row) => !row.isRemoved && isMeant(row) && !isWritten(row, books))
}

function isWritten(row: HostRow, books: RefundBooks): boolean {
  return ofRow(row, books).some(({ isRemoved }) => !isRemoved)
}

/**
 * The transactions that cancelling the order has written for a refund: it names the payment, and
 * not the row, and writes also where the refund was refused. They are this refund's where the
 * amount is, and no other row stands that they could be of.
 */
export function ofCanceling(refund: Operation, known: Known): readonly HostTransaction[] {
  const { books, refunds } = known
  const isOthers = hasOpenRow(
    books,
    (row) =>
      !isOwnRow(row, refund) &&
      sameAmount(row.amount, refund.hostAmount) &&
      !isAbandoned(row, refunds),
  )
  return isOthers
    ? []
    : books.transactions.filter(
        ({ referenceId, amount }) =>
          referenceId === books.paymentId && sameAmount(amount, refund.hostAmount),
      )
}

/** Its process died before it asked for anything. */
export function isAbandoned(row: HostRow, refunds: readonly Operation[]): boolean {
  return !row.isRemoved && row.ageMs > LIMITS.refundRowAbandonedMs && isNobodys(row, refunds)
}

/** Written by us, in a row's name. */
export function namedLines(
  rowIds: readonly string[],
  { creditLines }: RefundBooks,
): readonly HostCreditLine[] {
  return creditLines.filter(({ referenceId }) => rowIds.some((id) => id === referenceId))
}

const isNamed = ({ referenceId }: HostCreditLine) => referenceId?.startsWith(ROW) === true

/**
 * The credit line that Medusa wrote with a true transaction, or one that it may be. A refund writes
 * its transaction, and its credit line then makes the next version. Where several refunds were
 * written in one version, those of one amount are told apart by the order in which they came, the
 * last first: one that was owed already makes no line and no version, so what has none came before
 * what has one. One that is larger is of several payments together, and is left alone.
 */
export function creditLineOf(
  transaction: HostTransaction,
  known: Known,
): HostCreditLine | "unclear" | undefined {
  const { books } = known
  const { version } = transaction
  const atOnce = books.transactions.filter(
    (other) =>
      other.version === version &&
      isTrue(other, known) &&
      namedLines([other.referenceId], books).length === 0,
  )
  const candidates = books.creditLines.filter(
    (line) =>
      !isNamed(line) && line.madeVersion > version && line.madeVersion <= version + atOnce.length,
  )
  const isAsMuch = ({ amount }: { readonly amount: string }) =>
    sameAmount(amount, transaction.amount)
  const [same, lines] = [atOnce.filter(isAsMuch), candidates.filter(isAsMuch)]
  const rank = same.findIndex(({ id }) => id === transaction.id)
  const exact = lines[rank - Math.max(0, same.length - lines.length)]
  if (exact) return exact
  // Medusa owed a part already: the line is of the rest. Only where nobody else's can be meant.
  const [smaller] = candidates.filter(
    ({ amount }) =>
      compareDecimals(amount, transaction.amount) === -1 && compareDecimals(amount, "0") === 1,
  )
  return smaller && atOnce.length > 1 ? "unclear" : smaller
}

/**
 * Whether the credit line of a true transaction is missing. It is not where the customer owes
 * nothing by the order's sums: Medusa owed the money already, or the line is there under a name
 * that we don't know.
 *
 * @returns "unclear" where something else than refunds has changed the order since, so that what is
 *   open may be open for another reason
 */
export function lineIsMissing(transaction: HostTransaction, known: Known): boolean | "unclear" {
  const { order, creditLines } = known.books
  if (order === null || compareDecimals(order.open, "0") !== 1) return false
  const line = creditLineOf(transaction, known)
  if (line === "unclear") return line
  if (line && !line.isRemoved) return false
  const made = new Set(
    creditLines.filter((one) => !isNamed(one)).map(({ madeVersion }) => madeVersion),
  )
  for (let version = transaction.version + 1; version <= order.version; version++) {
    if (!made.has(version)) return "unclear"
  }
  return true
}

/**
 * Transactions that cancelling the order has written, and that no money is behind: the refund was
 * refused before the ledger had a row of it, or Medusa wrote them when all was put right already.
 */
export function swallowedRefusals(known: Known): readonly HostTransaction[] {
  const { books, refunds } = known
  const written = books.transactions.filter(
    ({ isRemoved, referenceId }) => !isRemoved && referenceId === books.paymentId,
  )
  const rows = books.rows.filter(({ isRemoved }) => !isRemoved)
  const unwritten = rows.filter(
    (row) =>
      !isAbandoned(row, refunds) &&
      !ofRow(row, books).some((one) => !one.isRemoved && isTrue(one, known)),
  )
  // Its money went back or may go back: it gets its row, and keeps the transaction.
  const rowless = refunds.filter(
    (refund) => !hasEnded(refund) && !refund.surplus && !rows.some((row) => isOwnRow(row, refund)),
  )
  const behind = [
    ...unwritten.map(({ amount }) => amount),
    ...rowless.map(({ hostAmount }) => hostAmount),
  ]
  const kept = new Map<string, number>()
  return written.filter(({ amount, ageMs }) => {
    if (ageMs <= LIMITS.refundHostQuietMs) return false
    const key = String(Number(amount))
    const nth = (kept.get(key) ?? 0) + 1
    kept.set(key, nth)
    return nth > behind.filter((other) => sameAmount(other, amount)).length
  })
}
