/**
 * What Medusa holds of a payment's refunds, which refund each part belongs to, and what to change
 * so that the records show what became of the refunds. Pure.
 *
 * Medusa writes in three steps, each committed by itself: its refund row, after the provider's yes
 * the order's transaction, then a credit line. A process may die between any two.
 *
 * Medusa's refund workflow writes a transaction for every refund row that has none, each of the
 * amount that the workflow was asked for. So a transaction that names a row proves little: the row
 * may be of a refused click, of a dead process, or of another refund at the same moment.
 *
 * When an order is cancelled, its transaction names the payment instead, also for a refused refund.
 * A refund takes the transaction of its own row where the amount fits, else one that names the
 * payment, counted by amount. A transaction that no refund takes is false.
 *
 * Missing records are made under a mark that tells the provider to send no money (`refundMark`): by
 * Medusa's refund workflow, or one by one where the workflow would refuse, or write too much.
 */
import type {
  HostCreditLine,
  HostRow,
  HostTransaction,
  RefundRecords,
} from "../../core/host-records"
import { LIMITS } from "../../core/limits"
import { compareDecimals, moneyFromMajor, type CurrencyCode } from "../../core/money"
import { hasEnded, type Operation } from "../../core/operation"
import { markedRefund } from "./adopt-refund"

/** What Medusa holds of a payment's refunds, and all its refunds that the ledger knows. */
export type Known = { readonly records: RefundRecords; readonly refunds: readonly Operation[] }

export type Judgement = {
  /** The transaction of each refund, by the refund's id; by the row's id if it has no refund. */
  readonly taken: ReadonlyMap<string, HostTransaction>
  /** Transactions that exist in Medusa and that no refund takes. */
  readonly untaken: readonly HostTransaction[]
  /** Untaken transactions that Medusa has finished writing and for whose row there is no refund. */
  readonly falseTransactions: readonly HostTransaction[]
  /** Rows whose process died before it asked us for the refund. */
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

function isSameAmount(one: string | null, other: string | null): boolean {
  return compareDecimals(one, other) === 0
}

/** Whether it is the row that the refund is bound to, or one that the job made for the refund. */
function isOwnRow({ id, createdBy }: HostRow, refund: Operation): boolean {
  return id === refund.hostRefundId || markedRefund(createdBy) === refund.id
}

/** A row neither bound to a refund nor made by the job: its process may just have begun. */
function isUnclaimed({ id, createdBy }: HostRow, refunds: readonly Operation[]): boolean {
  return (
    markedRefund(createdBy) === undefined &&
    !refunds.some(({ hostRefundId }) => hostRefundId === id)
  )
}

/**
 * Whether the request of the transaction's own row can have written it, and not the request of
 * another row. Transactions that name a payment, and those of the order's other payments, are
 * believed.
 */
function isOfItsRow(transaction: HostTransaction, { records, refunds }: Known): boolean {
  const { referenceId, paymentId, amount, ageMs, isRemoved } = transaction
  if (paymentId !== records.paymentId || referenceId === records.paymentId) return true
  const row = records.rows.find(({ id }) => id === referenceId)
  if (!row || !isSameAmount(row.amount, amount) || (row.isRemoved && !isRemoved)) return false
  return !isUnclaimed(row, refunds) || row.ageMs - ageMs <= LIMITS.leaseMs
}

/** Whether a row lacks its transaction: the next refund's workflow would write a wrong one. */
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
function namedLines(
  rowIds: readonly string[],
  { creditLines }: RefundRecords,
): readonly HostCreditLine[] {
  return creditLines.filter(({ referenceId }) => rowIds.some((id) => id === referenceId))
}

/**
 * The credit line of a transaction. The job's line names the row. Medusa's line names no refund,
 * and made the order's next version. So it is known only where the transaction is alone in its
 * version and the line is no larger.
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
 * Whether the credit line of a refund's transaction is missing. It is not missing where the
 * customer owes nothing by the order's sums: Medusa owed the money already.
 *
 * @returns "unclear" where the order has changed since, and may be open for another reason
 */
function isLineMissing(transaction: HostTransaction, known: Known): boolean | "unclear" {
  const { order } = known.records
  if (order === null || compareDecimals(order.open, "0") !== 1) return false
  const line = lineOf(transaction, known)
  if (line === undefined) return order.version === transaction.version ? true : "unclear"
  return line === "unclear" ? line : false
}

/** What to remove from Medusa's records and what to add; the sums are counted anew with it. */
export type Repair = {
  readonly creditLineIds: readonly string[]
  readonly transactionIds: readonly string[]
  readonly rowIds: readonly string[]
  readonly added: Addition | null
}

/** The records that are written one by one for a refund row. */
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
  /** Medusa may still be writing, for `ms` at most. */
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "repair"; readonly repair: Repair }
  /** After the repair Medusa makes the refund once more, under a new row. */
  | { readonly kind: "make"; readonly repair: Repair; readonly isByWorkflow: boolean }

/** Whether the sums of order and payment collection agree with their records. */
export function isCounted({ order, isCollectionCounted }: RefundRecords): boolean {
  return order?.isCounted !== false && isCollectionCounted
}

export function hasRemovals({ creditLineIds, transactionIds, rowIds }: Repair): boolean {
  return creditLineIds.length + transactionIds.length + rowIds.length > 0
}

/**
 * Milliseconds until Medusa surely writes no more of the refund, because its process has gone on,
 * or died. A refund without a yes was refused at the latest when it ended.
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

/**
 * How a refund that `isUndelivered` gets its row, transaction, credit line and sums in Medusa, each
 * once.
 */
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
 * Whether the job writes without Medusa's workflow. The workflow refuses a cancelled order after it
 * has written the row, and writes a wrong transaction for every row that has none. An order under
 * edit gets no credit line from it.
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
  // If the job made the row without the workflow, only the job writes the credit line.
  const isOurs = isDirect && markedRefund(bound.createdBy) !== undefined
  return missing === "unclear" && isOurs ? true : missing
}

/**
 * Milliseconds until no worker still writes for a row that the job made for the refund, bound or
 * not. A worker whose lease has ended may still be at work: the row has its transaction before its
 * credit line.
 */
function madeJustNowInMs(rows: readonly HostRow[], refund: Operation): number {
  const waits = rows
    .filter(({ createdBy }) => markedRefund(createdBy) === refund.id)
    .map(({ ageMs }) => LIMITS.refundHostQuietMs - ageMs)
  return Math.max(0, ...waits)
}

/** What to remove for a refund that `isToUndo`, once Medusa writes no more of it. */
export function decideUndo(refund: Operation, known: Known): Repair & Lines {
  const { records } = known
  const taken = new Set(judgeRecords(known).taken.values())
  const own = records.rows.filter((row) => isOwnRow(row, refund))
  // Another refund's workflow may have written for a row that Medusa has deleted since.
  const names = [...idsOf(own), ...(refund.hostRefundId === null ? [] : [refund.hostRefundId])]
  const transactions = records.transactions.filter((one) =>
    one.referenceId === records.paymentId
      ? isSameAmount(one.amount, refund.hostAmount) && !taken.has(one)
      : names.includes(one.referenceId),
  )
  const named = namedLines(names, records)
  // Medusa writes no credit line where it was refused.
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

/** What to remove because it belongs to no refund. @param currency of the payment */
export function decideSweep(currency: CurrencyCode, known: Known): Repair {
  const { falseTransactions, abandonedRows } = judgeRecords(known)
  // A row that rounds to nothing got a yes although nothing was sent for it: it stays.
  const rows = abandonedRows.filter(({ amount }) => moneyFromMajor(amount, currency)?.minor !== 0n)
  const transactionIds = idsOf(falseTransactions)
  return { creditLineIds: [], transactionIds, rowIds: idsOf(rows), added: null }
}
