/**
 * What Medusa holds of a payment's refunds, and which refund each part belongs to. Pure.
 *
 * Medusa's refund workflow writes a transaction for every refund row that has none, each of the
 * amount that the workflow was asked for. So a transaction that names a row proves little: the row
 * may be of a refused click, of a dead process, or of another refund at the same moment.
 *
 * Cancelling an order names the payment instead, also for a refused refund. A refund takes the
 * transaction of its own row where the amount fits, else one in the payment's name, counted by
 * amount. What no refund takes is false.
 */
import type {
  HostCreditLine,
  HostRow,
  HostTransaction,
  RefundRecords,
} from "../../core/host-records"
import { LIMITS } from "../../core/limits"
import { compareDecimals } from "../../core/money"
import { hasEnded, type Operation } from "../../core/operation"
import { markedRefund } from "./adopt-refund"

/** What Medusa holds, beside all refunds of the payment that the ledger knows. */
export type Known = { readonly records: RefundRecords; readonly refunds: readonly Operation[] }

export type Judgement = {
  /** By the refund's id, or by the row's where no refund is bound to it. */
  readonly taken: ReadonlyMap<string, HostTransaction>
  /** They stand, and no refund takes them. */
  readonly untaken: readonly HostTransaction[]
  /** Of the untaken: Medusa writes no more of them, and no refund stands for their row. */
  readonly falseTransactions: readonly HostTransaction[]
  /** Their process died before it asked us. */
  readonly abandonedRows: readonly HostRow[]
}

export function judgeRecords(known: Known): Judgement {
  const { records, refunds } = known
  const { paymentId } = records
  const rows = records.rows.filter(({ isRemoved }) => !isRemoved)
  const existing = records.transactions.filter(({ isRemoved }) => !isRemoved)
  const unclaimed = rows.filter((row) => isUnclaimed(row, refunds))
  const ofRow = ({ id }: HostRow) =>
    existing.find((one) => one.referenceId === id && isOfItsRow(one, known))
  const abandonedRows = unclaimed.filter(
    (row) => row.ageMs > LIMITS.refundRowAbandonedMs && !ofRow(row),
  )
  const taken = new Map<string, HostTransaction>()
  const waiting: { readonly id: string; readonly amount: string | null }[] = []
  const take = (id: string, row: HostRow | undefined, amount: string | null) => {
    const own = row && ofRow(row)
    if (own) taken.set(id, own)
    else waiting.push({ id, amount })
  }
  for (const refund of refunds.filter((one) => !hasEnded(one))) {
    const row = rows.find(({ id }) => id === refund.hostRefundId)
    // Late money stays out of Medusa's records as long as no row stands for it.
    if (row || !refund.isDuplicate) take(refund.id, row, refund.hostAmount)
  }
  for (const row of unclaimed) {
    if (!abandonedRows.includes(row)) take(row.id, row, row.amount)
  }
  const ofPayment = new Set(existing.filter(({ referenceId }) => referenceId === paymentId))
  for (const { id, amount } of waiting) {
    const [first] = [...ofPayment].filter((one) => isSameAmount(one.amount, amount))
    if (!first) continue
    taken.set(id, first)
    ofPayment.delete(first)
  }
  const all = new Set(taken.values())
  const untaken = existing.filter((one) => !all.has(one))
  const isFalse = (one: HostTransaction) => {
    if (one.referenceId === paymentId) return one.ageMs > LIMITS.refundHostQuietMs
    const row = rows.find(({ id }) => id === one.referenceId)
    // No request lives longer than a lease: from then on no refund will be bound to the row.
    return !row || (unclaimed.includes(row) && row.ageMs > LIMITS.leaseMs)
  }
  const falseTransactions = untaken.filter((one) => one.paymentId === paymentId && isFalse(one))
  return { taken, untaken, falseTransactions, abandonedRows }
}

export function isSameAmount(one: string | null, other: string | null): boolean {
  return compareDecimals(one, other) === 0
}

/** The row that the refund is bound to, and those that the job made for it. */
export function isOwnRow({ id, createdBy }: HostRow, refund: Operation): boolean {
  return id === refund.hostRefundId || markedRefund(createdBy) === refund.id
}

/** Neither bound to a refund nor made by the job: its process may just have begun. */
function isUnclaimed({ id, createdBy }: HostRow, refunds: readonly Operation[]): boolean {
  return (
    markedRefund(createdBy) === undefined &&
    !refunds.some(({ hostRefundId }) => hostRefundId === id)
  )
}

/**
 * The request of its own row can have written it, and not that of another row. Transactions in a
 * payment's name, and those of the order's other payments, are believed.
 */
function isOfItsRow(transaction: HostTransaction, { records, refunds }: Known): boolean {
  const { referenceId, paymentId, amount, ageMs, isRemoved } = transaction
  if (paymentId !== records.paymentId || referenceId === records.paymentId) return true
  const row = records.rows.find(({ id }) => id === referenceId)
  if (!row || !isSameAmount(row.amount, amount) || (row.isRemoved && !isRemoved)) return false
  return !isUnclaimed(row, refunds) || row.ageMs - ageMs <= LIMITS.leaseMs
}

/** A row that waits for its transaction: the next refund's workflow would write it a wrong one. */
export function hasOpenRow(
  { rows, transactions }: RefundRecords,
  isMeant: (row: HostRow) => boolean = () => true,
): boolean {
  const written = new Set(
    transactions.filter(({ isRemoved }) => !isRemoved).map(({ referenceId }) => referenceId),
  )
  return rows.some((row) => !row.isRemoved && isMeant(row) && !written.has(row.id))
}

/** The credit lines that the job wrote in a row's name. */
export function namedLines(
  rowIds: readonly string[],
  { creditLines }: RefundRecords,
): readonly HostCreditLine[] {
  return creditLines.filter(({ referenceId }) => rowIds.some((id) => id === referenceId))
}

/**
 * The credit line of a transaction. The job's line names the row. Medusa's names no refund, and
 * made the order's next version: it is known only where the transaction is alone in its version,
 * and the line no larger.
 */
export function lineOf(
  transaction: HostTransaction,
  known: Known,
): HostCreditLine | "unclear" | undefined {
  const { transactions, creditLines } = known.records
  const { version, amount, referenceId } = transaction
  if (!isOfItsRow(transaction, known)) return undefined
  const [named] = namedLines([referenceId], known.records)
  if (named) return named.isRemoved ? undefined : named
  const atOnce = transactions.filter(
    (one) =>
      one.version === version &&
      isOfItsRow(one, known) &&
      namedLines([one.referenceId], known.records).length === 0,
  )
  const lines = creditLines.filter(
    (line) =>
      line.referenceId?.startsWith("ref_") !== true &&
      line.madeVersion > version &&
      line.madeVersion <= version + atOnce.length,
  )
  const [line] = lines
  if (lines.every(({ isRemoved }) => isRemoved)) return undefined
  const isAlone = atOnce.length === 1 && lines.length === 1
  return line && isAlone && compareDecimals(line.amount, amount) !== 1 ? line : "unclear"
}

/**
 * Whether the credit line of a refund's transaction is missing. It is not where the customer owes
 * nothing by the order's sums: Medusa owed the money already.
 *
 * @returns "unclear" where the order has changed since, and may be open for another reason
 */
export function isLineMissing(transaction: HostTransaction, known: Known): boolean | "unclear" {
  const { order } = known.records
  if (order === null || compareDecimals(order.open, "0") !== 1) return false
  const line = lineOf(transaction, known)
  if (line === undefined) return order.version === transaction.version ? true : "unclear"
  return line === "unclear" ? line : false
}
