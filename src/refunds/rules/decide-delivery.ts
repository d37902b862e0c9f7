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
import type { MedusaRefundId } from "../../core/ids"
import type {
  MedusaCreditLine,
  MedusaRow,
  MedusaTransaction,
  RefundRecords,
} from "../../core/medusa-records"
import { LIMITS } from "../../core/limits"
import { compareDecimals, decimalSum, moneyFromMajor, type CurrencyCode } from "../../core/money"
import { hasEnded, type Operation } from "../../core/operation"
import { markedRefund } from "./adopt-refund"

/** What Medusa holds of a payment's refunds, and all its refunds that the ledger knows. */
export type Known = { readonly records: RefundRecords; readonly refunds: readonly Operation[] }

type Judgement = {
  /** The transaction of each refund, by the refund's id; by the row's id if it has no refund. */
  readonly transactionOf: ReadonlyMap<string, MedusaTransaction>
  /** Transactions that belong to no refund. */
  readonly strays: readonly MedusaTransaction[]
  /** Strays that Medusa has finished writing and for whose row there is no refund. */
  readonly falseTransactions: readonly MedusaTransaction[]
  /** Rows whose process died before it asked us for the refund. */
  readonly abandonedRows: readonly MedusaRow[]
}

export function judgeRecords({ records, refunds }: Known): Judgement {
  const { paymentId, rows, transactions } = records
  const unclaimed = rows.filter((row) => isUnclaimed(row, refunds))
  const ofRow = (row: MedusaRow) =>
    transactions.find((one) => isOfRow(one, row, unclaimed.includes(row)))
  const abandonedRows = unclaimed.filter(
    (row) => row.ageMs > LIMITS.refundRowAbandonedMs && !ofRow(row),
  )
  const transactionOf = new Map<string, MedusaTransaction>()
  const waiting: { readonly id: string; readonly amount: string | null }[] = []
  const assign = (id: string, row: MedusaRow | undefined, amount: string | null) => {
    const own = row && ofRow(row)
    if (own) transactionOf.set(id, own)
    else waiting.push({ id, amount })
  }
  for (const refund of refunds.filter((one) => !hasEnded(one))) {
    const row = rows.find(({ id }) => id === refund.medusaRefundId)
    // Late money stays out of Medusa's records as long as no row stands for it.
    if (row || !refund.isDuplicate) assign(refund.id, row, refund.medusaAmount)
  }
  for (const row of unclaimed) {
    if (!abandonedRows.includes(row)) assign(row.id, row, row.amount)
  }
  const ofPayment = new Set(transactions.filter(({ referenceId }) => referenceId === paymentId))
  for (const { id, amount } of waiting) {
    const [first] = [...ofPayment].filter((one) => isSameAmount(one.amount, amount))
    if (!first) continue
    transactionOf.set(id, first)
    ofPayment.delete(first)
  }
  const assigned = new Set(transactionOf.values())
  const strays = transactions.filter((one) => !assigned.has(one))
  const isFalse = (one: MedusaTransaction) => {
    if (one.referenceId === paymentId) return one.ageMs > LIMITS.refundMedusaQuietMs
    const row = rows.find(({ id }) => id === one.referenceId)
    // No request lives longer than a lease: from then on no refund will be bound to the row.
    return !row || (unclaimed.includes(row) && row.ageMs > LIMITS.leaseMs)
  }
  const falseTransactions = strays.filter((one) => one.paymentId === paymentId && isFalse(one))
  return { transactionOf, strays, falseTransactions, abandonedRows }
}

/**
 * Whether Medusa shows a refund that may still be refused: its click is on its way to us, or its
 * process died. Medusa counts its money as given back meanwhile.
 */
export function isRefundAsked({ records, refunds }: Known): boolean {
  const { rows, transactions } = records
  return rows.some(
    (row) => isUnclaimed(row, refunds) && !transactions.some((one) => isOfRow(one, row, true)),
  )
}

function isSameAmount(one: string | null, other: string | null): boolean {
  return compareDecimals(one, other) === 0
}

/** Whether it is the row that the refund is bound to, or one that the job made for the refund. */
function isOwnRow({ id, createdBy }: MedusaRow, refund: Operation): boolean {
  return id === refund.medusaRefundId || markedRefund(createdBy) === refund.id
}

/** A row neither bound to a refund nor made by the job: its process may just have begun. */
function isUnclaimed({ id, createdBy }: MedusaRow, refunds: readonly Operation[]): boolean {
  return (
    markedRefund(createdBy) === undefined &&
    !refunds.some(({ medusaRefundId }) => medusaRefundId === id)
  )
}

/** Whether the row's own request can have written the transaction, and not another's. */
function isOfRow(
  { referenceId, amount, ageMs }: MedusaTransaction,
  row: MedusaRow,
  isUnclaimedRow: boolean,
): boolean {
  if (referenceId !== row.id || !isSameAmount(amount, row.amount)) return false
  return !isUnclaimedRow || row.ageMs - ageMs <= LIMITS.leaseMs
}

/**
 * Whether a row lacks its transaction: the next refund's workflow would write a wrong one.
 *
 * @param refund whose own rows are left out
 */
export function hasOpenRow({ rows, transactions }: RefundRecords, refund?: Operation): boolean {
  const written = new Set(transactions.map(({ referenceId }) => referenceId))
  return rows.some((row) => !written.has(row.id) && !(refund && isOwnRow(row, refund)))
}

/** The credit lines that the job wrote in a row's name. */
function namedLines(
  rowIds: readonly MedusaTransaction["referenceId"][],
  { creditLines }: RefundRecords,
): readonly MedusaCreditLine[] {
  return creditLines.filter(({ rowId }) => rowIds.some((id) => id === rowId))
}

/**
 * Whether each refund of the order has its credit line in full. Medusa's lines name no refund, but
 * none is larger than its refund: so equal sums leave no other reading.
 *
 * A refund of this payment counts with its own amount, whatever the transaction for its row says:
 * another refund's workflow may have written that. Without our yes Medusa writes no line for it.
 */
function isEachRefundCredited({ records, refunds }: Known): boolean {
  const { paymentId, transactions, creditLines } = records
  const isUnnamed = (id: MedusaTransaction["referenceId"] | null) =>
    !creditLines.some(({ rowId }) => rowId === id)
  const shown = transactions.filter(({ referenceId }) => isUnnamed(referenceId))
  const others = shown.filter((one) => one.paymentId !== paymentId || one.referenceId === paymentId)
  const own = refunds.filter(
    ({ answeredAt, medusaRefundId }) =>
      answeredAt !== null && shown.some(({ referenceId }) => referenceId === medusaRefundId),
  )
  const amounts = [...others.map(({ amount }) => amount), ...own.map((one) => one.medusaAmount)]
  const lines = creditLines.filter(({ rowId }) => rowId === null).map(({ amount }) => amount)
  return isSameAmount(decimalSum(amounts) ?? null, decimalSum(lines) ?? null)
}

/** Whether the order's credit lines come to its transactions, false ones too: then none is open. */
function isEachTransactionCredited({ transactions, creditLines }: RefundRecords): boolean {
  const sumOf = (all: readonly { readonly amount: string }[]) =>
    decimalSum(all.map(({ amount }) => amount)) ?? null
  return isSameAmount(sumOf(transactions), sumOf(creditLines))
}

/**
 * Whether the credit line of a refund's transaction is missing. It is not missing where the
 * customer owes nothing by the order's sums: Medusa owed the money already.
 *
 * @returns "unclear" where the order has changed since, and may be open for another reason
 */
function isLineMissing(
  { version }: MedusaTransaction,
  records: RefundRecords,
): boolean | "unclear" {
  const { order } = records
  if (order === null || compareDecimals(order.open, "0") !== 1) return false
  if (order.version === version) return true
  return isEachTransactionCredited(records) ? false : "unclear"
}

/** What to remove from Medusa's records and what to add; the sums are counted anew with it. */
export type Repair = {
  readonly creditLineIds: readonly string[]
  readonly transactionIds: readonly string[]
  readonly rowIds: readonly MedusaRefundId[]
  readonly added: Addition | null
}

/** The records that are written one by one for a refund row. */
export type Addition = {
  readonly rowId: MedusaRefundId
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
export function medusaQuietInMs(refund: Operation): number {
  const { answeredAt, createdAt, lastSentAt, failedAt, checkedAt, readAt } = refund
  const ends = hasEnded(refund) ? [lastSentAt, failedAt, checkedAt] : []
  const endMs = Math.max(0, ...ends.map((moment) => moment?.getTime() ?? 0))
  const quietAt = answeredAt
    ? answeredAt.getTime() + LIMITS.refundMedusaQuietMs
    : Math.max(createdAt.getTime() + LIMITS.leaseMs, endMs + LIMITS.refundMedusaQuietMs)
  return Math.max(0, quietAt - readAt.getTime())
}

/**
 * How a refund that `isUndelivered` gets its row, transaction, credit line and sums in Medusa, each
 * once.
 */
export function decideDelivery(refund: Operation, known: Known): Delivery {
  const { records } = known
  const { transactionOf, strays, falseTransactions } = judgeRecords(known)
  const transaction = transactionOf.get(refund.id)
  const rows = records.rows.filter((row) => isOwnRow(row, refund))
  const bound = rows.find(({ id }) => id === refund.medusaRefundId)
  const ofOwn = strays.filter(({ referenceId }) => rows.some(({ id }) => id === referenceId))
  const transactionIds = idsOf([...new Set([...ofOwn, ...falseTransactions])])
  const isDirect = transactionIds.length > 0 || isWrittenDirectly(refund, records, transaction)
  const line = bound && isLineToWrite(bound, transaction, isDirect, records)
  const isShown = bound !== undefined && (records.order === null || transaction !== undefined)
  const isTidy = transactionIds.length === 0 && rows.length <= 1 && isCounted(records)
  const isDone = isShown && isTidy && line !== true
  if (isDone && line === false) return { kind: "record", isLineUnclear: false }
  const ms = Math.max(medusaQuietInMs(refund), madeJustNowInMs(rows, refund))
  if (ms > 0) return { kind: "wait", ms }
  if (isDone) return { kind: "record", isLineUnclear: true }
  // A request that has no yes yet may only sleep: it is refused where its row is gone.
  const isKept = transaction !== undefined || (isDirect && refund.answeredAt !== null)
  const kept = isKept ? bound : undefined
  const rowIds = idsOf(rows.filter((row) => row !== kept))
  const creditLineIds = lineIdsOf(namedLines(rowIds, records))
  const removed = { creditLineIds, transactionIds, rowIds }
  if (!kept) return { kind: "make", repair: { ...removed, added: null }, isByWorkflow: !isDirect }
  const added = {
    rowId: kept.id,
    amount: kept.amount,
    isInTransactions: transaction !== undefined,
    isLineMissing: line === true,
  }
  return { kind: "repair", repair: { ...removed, added } }
}

const idsOf = <I extends string>(those: readonly { readonly id: I }[]) => those.map(({ id }) => id)

const lineIdsOf = (lines: readonly MedusaCreditLine[]) => lines.flatMap(({ ids }) => ids)

/**
 * Whether the job writes without Medusa's workflow. The workflow refuses a cancelled order after it
 * has written the row, and writes a wrong transaction for every row that has none. An order under
 * edit gets no credit line from it.
 */
function isWrittenDirectly(
  refund: Operation,
  records: RefundRecords,
  transaction: MedusaTransaction | undefined,
): boolean {
  const { order, paymentId } = records
  if (order === null || order.isCanceled) return true
  if (refund.settleAttempts >= LIMITS.refundWorkflowTries) return true
  if (transaction?.referenceId === paymentId) return true
  return hasOpenRow(records, refund)
}

function isLineToWrite(
  bound: MedusaRow,
  transaction: MedusaTransaction | undefined,
  isDirect: boolean,
  records: RefundRecords,
): boolean | "unclear" {
  if (namedLines([bound.id], records).length > 0 || records.order === null) return false
  if (!transaction) return true
  const missing = isLineMissing(transaction, records)
  // If the job made the row without the workflow, only the job writes the credit line.
  const isOurs = isDirect && markedRefund(bound.createdBy) !== undefined
  return missing === "unclear" && isOurs ? true : missing
}

/**
 * Milliseconds until no worker still writes for a row that the job made for the refund, bound or
 * not. A worker whose lease has ended may still be at work: the row has its transaction before its
 * credit line.
 */
function madeJustNowInMs(rows: readonly MedusaRow[], refund: Operation): number {
  const waits = rows
    .filter(({ createdBy }) => markedRefund(createdBy) === refund.id)
    .map(({ ageMs }) => LIMITS.refundMedusaQuietMs - ageMs)
  return Math.max(0, ...waits)
}

/** What to remove for a refund that `isToUndo`, once Medusa writes no more of it. */
export function decideUndo(refund: Operation, known: Known): Repair & Lines {
  const { records } = known
  const assigned = new Set(judgeRecords(known).transactionOf.values())
  const rows = records.rows.filter((row) => isOwnRow(row, refund))
  // Another refund's workflow may have written for a row that Medusa has deleted since.
  const names = [...idsOf(rows), ...(refund.medusaRefundId === null ? [] : [refund.medusaRefundId])]
  const transactions = records.transactions.filter((one) =>
    one.referenceId === records.paymentId
      ? isSameAmount(one.amount, refund.medusaAmount) && !assigned.has(one)
      : names.some((name) => name === one.referenceId),
  )
  const named = namedLines(names, records)
  // Medusa writes no credit line where it was refused.
  const isMedusas = named.length === 0 && refund.answeredAt !== null && transactions.length > 0
  const lines = isMedusas ? medusasLine(refund, known) : named
  return {
    creditLineIds: lines === "unclear" ? [] : lineIdsOf(lines),
    transactionIds: idsOf(transactions),
    rowIds: idsOf(rows),
    added: null,
    isLineUnclear: lines === "unclear",
  }
}

/** The credit line that Medusa wrote for a refund: any of its amount, because they name none. */
function medusasLine(
  { medusaAmount }: Operation,
  known: Known,
): readonly MedusaCreditLine[] | "unclear" {
  const lines = known.records.creditLines.filter(({ rowId }) => rowId === null)
  if (lines.length === 0) return []
  const line = lines.find(({ amount }) => isSameAmount(amount, medusaAmount))
  return line && isEachRefundCredited(known) ? [line] : "unclear"
}

/** What to remove because it belongs to no refund. @param currency of the payment */
export function decideSweep(currency: CurrencyCode, known: Known): Repair {
  const { falseTransactions, abandonedRows } = judgeRecords(known)
  // A row that rounds to nothing got a yes although nothing was sent for it: it stays.
  const rows = abandonedRows.filter(({ amount }) => moneyFromMajor(amount, currency)?.minor !== 0n)
  const transactionIds = idsOf(falseTransactions)
  return { creditLineIds: [], transactionIds, rowIds: idsOf(rows), added: null }
}
