/**
 * What to change in Medusa's records, so that they show what became of a payment's refunds. Pure.
 *
 * Medusa writes in three steps, each committed by itself: its refund row, after the provider's yes
 * the order's transaction, then a credit line. A process may die between any two.
 *
 * What is missing is made under a mark that tells the provider to send no money (`refundMark`): by
 * Medusa's refund workflow, or one by one where the workflow would refuse, or write too much.
 */
import type { HostRow, HostTransaction, RefundRecords } from "../../core/host-records"
import { LIMITS } from "../../core/limits"
import { moneyFromMajor, type CurrencyCode } from "../../core/money"
import { hasEnded, type Operation } from "../../core/operation"
import { markedRefund } from "./adopt-refund"
import {
  hasOpenRow,
  isLineMissing,
  isOwnRow,
  isSameAmount,
  judgeRecords,
  lineOf,
  namedLines,
  type Known,
} from "./refund-records"

/** What to remove and what to add; the sums are counted anew with it. */
export type Repair = {
  readonly creditLineIds: readonly string[]
  readonly transactionIds: readonly string[]
  readonly rowIds: readonly string[]
  readonly added: Addition | null
}

/** What is written beside a row, one by one. */
export type Addition = {
  readonly rowId: string
  readonly amount: string
  readonly isInTransactions: boolean
  readonly isLineMissing: boolean
}

/** @property isLineUnclear a credit line may be missing, or left over, and no id decides it */
type Lines = { readonly isLineUnclear: boolean }

export type Delivery =
  | ({ readonly kind: "record" } & Lines)
  /** Medusa may still be writing, so long at most. */
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "repair"; readonly repair: Repair }
  /** After the repair Medusa makes the refund once more, under a new row. */
  | { readonly kind: "make"; readonly repair: Repair; readonly isByWorkflow: boolean }

/** The sums of order and collection are those of what stands in them. */
export function isCounted({ order, isCollectionCounted }: RefundRecords): boolean {
  return order?.isCounted !== false && isCollectionCounted
}

export function hasRemovals({ creditLineIds, transactionIds, rowIds }: Repair): boolean {
  return creditLineIds.length + transactionIds.length + rowIds.length > 0
}

/**
 * Until Medusa surely writes no more of it, because its process has gone on, or died. A refund
 * without a yes was refused at the latest when it ended.
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

/** Of a refund that `isUndelivered`: its row, transaction, credit line and sums, each once. */
export function decideDelivery(refund: Operation, known: Known): Delivery {
  const { records } = known
  const { taken, untaken, falseTransactions } = judgeRecords(known)
  const transaction = taken.get(refund.id)
  const own = records.rows.filter((row) => isOwnRow(row, refund))
  const rows = own.filter(({ isRemoved }) => !isRemoved)
  const bound = rows.find(({ id }) => id === refund.hostRefundId)
  const ofOwn = untaken.filter(({ referenceId }) => own.some(({ id }) => id === referenceId))
  const transactionIds = idsOf([...new Set([...ofOwn, ...falseTransactions])])
  const staleIds = idsOf(rows.filter((row) => row !== bound))
  const isDirect = transactionIds.length > 0 || isWrittenDirectly(refund, known, transaction)
  const line = bound && isLineToWrite(bound, transaction, isDirect, known)
  const isShown = bound !== undefined && (records.order === null || transaction !== undefined)
  const isTidy = transactionIds.length + staleIds.length === 0 && isCounted(records)
  const isDone = isShown && isTidy && line !== true
  if (isDone && line === false) return { kind: "record", isLineUnclear: false }
  const ms = Math.max(hostQuietInMs(refund), madeJustNowInMs(rows, refund))
  if (ms > 0) return { kind: "wait", ms }
  if (isDone) return { kind: "record", isLineUnclear: true }
  const removed = { creditLineIds: [], transactionIds }
  if (!bound || (transaction === undefined && !isDirect)) {
    const repair = { ...removed, rowIds: idsOf(rows), added: null }
    return { kind: "make", repair, isByWorkflow: !isDirect }
  }
  const added = {
    rowId: bound.id,
    amount: bound.amount,
    isInTransactions: transaction !== undefined,
    isLineMissing: line === true,
  }
  return { kind: "repair", repair: { ...removed, rowIds: staleIds, added } }
}

const idsOf = (those: readonly { readonly id: string }[]) => those.map(({ id }) => id)

/**
 * Medusa's workflow refuses a cancelled order after it has written the row, and writes a wrong
 * transaction for every row that has none. An order under edit takes no credit line from it.
 */
function isWrittenDirectly(
  refund: Operation,
  { records }: Known,
  transaction: HostTransaction | undefined,
): boolean {
  const { order, paymentId } = records
  if (order === null || order.isCanceled) return true
  if (refund.settleAttempts >= LIMITS.refundWorkflowTries) return true
  if (transaction?.referenceId === paymentId) return true
  return hasOpenRow(records, (row) => !isOwnRow(row, refund))
}

function isLineToWrite(
  bound: HostRow,
  transaction: HostTransaction | undefined,
  isDirect: boolean,
  known: Known,
): boolean | "unclear" {
  const isNamed = namedLines([bound.id], known.records).some(({ isRemoved }) => !isRemoved)
  if (isNamed || known.records.order === null) return false
  if (!transaction) return true
  const missing = isLineMissing(transaction, known)
  // Only the job writes the line of a row that it has made alone.
  const isOurs = isDirect && markedRefund(bound.createdBy) !== undefined
  return missing === "unclear" && isOurs ? true : missing
}

/**
 * A worker whose lease has ended may still be at a row that it made for the refund, bound or not:
 * its transaction stands before its credit line does.
 */
function madeJustNowInMs(rows: readonly HostRow[], refund: Operation): number {
  const waits = rows
    .filter(({ createdBy }) => markedRefund(createdBy) === refund.id)
    .map(({ ageMs }) => LIMITS.refundHostQuietMs - ageMs)
  return Math.max(0, ...waits)
}

/** Of a refund that `isToUndo`, once Medusa writes no more of it. */
export function decideUndo(refund: Operation, known: Known): Repair & Lines {
  const { records } = known
  const taken = new Set(judgeRecords(known).taken.values())
  const own = records.rows.filter((row) => isOwnRow(row, refund))
  // Another refund's workflow may have written into a row that Medusa has deleted since.
  const names = [...idsOf(own), ...(refund.hostRefundId === null ? [] : [refund.hostRefundId])]
  const transactions = records.transactions.filter((one) =>
    one.referenceId === records.paymentId
      ? isSameAmount(one.amount, refund.hostAmount) && !taken.has(one)
      : names.includes(one.referenceId),
  )
  const named = namedLines(names, records)
  // Medusa writes no line where it was refused.
  const isMedusas = named.length === 0 && refund.answeredAt !== null
  const lines: readonly ReturnType<typeof lineOf>[] = isMedusas
    ? transactions.map((one) => lineOf(one, known))
    : named
  return {
    creditLineIds: lines.flatMap((line) =>
      line === undefined || line === "unclear" || line.isRemoved ? [] : line.ids,
    ),
    transactionIds: idsOf(transactions.filter(({ isRemoved }) => !isRemoved)),
    rowIds: idsOf(own.filter(({ isRemoved }) => !isRemoved)),
    added: null,
    isLineUnclear: lines.includes("unclear"),
  }
}

/** What stands in Medusa's records and belongs to no refund. @param currency of the payment */
export function decideSweep(currency: CurrencyCode, known: Known): Repair {
  const { falseTransactions, abandonedRows } = judgeRecords(known)
  // A row that rounds to nothing got a yes although nothing was sent for it.
  const rows = abandonedRows.filter(({ amount }) => moneyFromMajor(amount, currency)?.minor !== 0n)
  const transactionIds = idsOf(falseTransactions)
  return { creditLineIds: [], transactionIds, rowIds: idsOf(rows), added: null }
}
