/**
 * The three books against each other: what the gateway lists, what the ledger knows, what Medusa
 * holds. Pure: values go in, differences come out, each with a stable code. What becomes of one is
 * the flow's (`reconciliation/`); a list is a hint, so the flow asks about a document before it
 * acts.
 *
 * Money under way is no difference: it has a check of its own coming. Nothing is ever captured or
 * given back for a difference; at most it is checked again, or put before a person.
 */
import { operationIdOf } from "../../core/document-reference"
import type { HostPayment } from "../../core/host-records"
import { LIMITS } from "../../core/limits"
import type { DifferenceCode } from "../../core/messages"
import { majorText, moneyFromMajor, parseCurrency, sameMoney, type Money } from "../../core/money"
import { hasEnded, isDismissed, type Operation, type SourceType } from "../../core/operation"

/** A document as the gateway lists it. */
export type GatewayDocument = {
  readonly sourceType: SourceType
  readonly sourceId: number
  /** The merchant's own; null: none. */
  readonly reference: string | null
  readonly status: string
  /** Null where the list does not say it. */
  readonly total: Money | null
  /** When it was last paid, changed or made, by the gateway's clock; never decided by. */
  readonly touchedAt?: Date | null
}

/**
 * Exact, in major units: `{ amount: "19.99", currency: "USD" }`. Medusa's has all of its digits.
 */
export type SideAmount = { readonly amount: string; readonly currency: string }

/** One difference, with all that names it. Absent is null. */
export type Difference = {
  readonly code: DifferenceCode
  readonly operationId: string | null
  readonly sourceType: SourceType | null
  readonly sourceId: number | null
  readonly documentReference: string | null
  readonly gatewayStatus: string | null
  readonly state: string | null
  readonly paymentId: string | null
  readonly orderId: string | null
  readonly gatewayAmount: SideAmount | null
  readonly ledgerAmount: SideAmount | null
  /** What it holds as captured. */
  readonly medusaAmount: SideAmount | null
}

export type SidesOfPeriod = {
  readonly documents: readonly GatewayDocument[]
  /**
   * The kinds of document whose list was read whole; of another kind, a missing one means nothing.
   */
  readonly listed: readonly SourceType[]
  readonly operations: readonly Operation[]
  /** Made with other credentials: another merchant may have documents with the same numbers. */
  readonly unaskableIds: readonly string[]
  /** With a refund whose credit line in Medusa is not known. */
  readonly unclearIds: readonly string[]
  readonly payments: readonly HostPayment[]
}

export function compareSides(books: SidesOfPeriod): Difference[] {
  const index = indexOf(books)
  return [
    ...books.documents.flatMap((document) => compareDocument(index, document)),
    ...books.operations.flatMap((operation) => compareOperation(books, index, operation)),
    ...books.payments.flatMap((payment) => comparePayment(index, payment)),
  ]
}

/** The books by what they are looked up by: a busy week is compared in one go over it. */
export type SideIndex = {
  readonly operationById: ReadonlyMap<string, Operation>
  readonly operationsBySource: ReadonlyMap<string, readonly Operation[]>
  readonly operationsBySession: ReadonlyMap<string, readonly Operation[]>
  readonly documentBySource: ReadonlyMap<string, GatewayDocument>
  readonly paymentsBySession: ReadonlyMap<string, readonly HostPayment[]>
  readonly unaskable: ReadonlySet<string>
  readonly unclear: ReadonlySet<string>
}

export function indexOf(books: SidesOfPeriod): SideIndex {
  const { documents, operations, payments, unclearIds } = books
  const unaskable = new Set(books.unaskableIds)
  const payers = operations.filter(({ id, sourceId }) => sourceId !== null && !unaskable.has(id))
  return {
    operationById: new Map(operations.map((operation) => [operation.id, operation])),
    operationsBySource: groupedBy(payers, sourceKey),
    operationsBySession: groupedBy(operations, ({ paymentSessionId }) => paymentSessionId),
    documentBySource: new Map(documents.map((document) => [sourceKey(document), document])),
    paymentsBySession: groupedBy(payments, ({ sessionId }) => sessionId),
    unaskable,
    unclear: new Set(unclearIds),
  }
}

export function groupedBy<T>(list: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of list) {
    const group = groups.get(keyOf(one))
    if (group) group.push(one)
    else groups.set(keyOf(one), [one])
  }
  return groups
}

/** One document of one kind, by its number. */
export function sourceKey(source: {
  readonly sourceType: SourceType
  readonly sourceId: number | null
}): string {
  return `${source.sourceType} ${source.sourceId}`
}

/** Of a document the ones that pay it, and the one that it was made for, which may pay another. */
export function operationsOf(index: SideIndex, document: GatewayDocument) {
  const named = document.reference === null ? undefined : operationIdOf(document.reference)
  // Nobody is known to pay it then, also where it is the very one that its maker pays.
  const id = named !== undefined && index.unaskable.has(named) ? undefined : named
  return {
    isLikeOurs: id !== undefined,
    payers: index.operationsBySource.get(sourceKey(document)) ?? [],
    maker: id === undefined ? undefined : index.operationById.get(id),
  }
}

const isPaid = ({ state }: Operation) => state === "completed" || state === "review"

function compareDocument(index: SideIndex, document: GatewayDocument): Difference[] {
  if (document.status !== "PAID") return []
  const { isLikeOurs, payers, maker } = operationsOf(index, document)
  const payer = payers.find(isPaid)
  if (payer) {
    if (payer.state !== "completed" || document.total === null) return []
    if (sameMoney(document.total, payer.amount)) return []
    return [difference("amount_differs", { document, operation: payer })]
  }
  const open = payers.find((operation) => !hasEnded(operation))
  if (open) return [difference("paid_not_completed", { document, operation: open })]
  const ended = payers.find((payer) => !isDismissed(payer, document.total))
  if (ended) return [difference("paid_after_end", { document, operation: ended })]
  if (payers.length > 0) return []
  if (!maker) {
    return isLikeOurs ? [difference("paid_unknown_to_ledger", { document })] : []
  }
  // One whose own document brought money, be it dismissed, has been paid a second time.
  const isLate = hasEnded(maker) && maker.collected === null
  const code = isLate ? "paid_after_end" : "paid_twice"
  return [difference(code, { document, operation: maker })]
}

function compareOperation(
  books: SidesOfPeriod,
  index: SideIndex,
  operation: Operation,
): Difference[] {
  if (operation.state !== "completed") return []
  if (operation.returnedAt !== null) return hasGoneBack(index, operation)
  // A document that was asked about alone says something, too.
  const isRead =
    books.listed.includes(operation.sourceType) || index.documentBySource.has(sourceKey(operation))
  const isListed = isRead && !index.unaskable.has(operation.id)
  return [...(isListed ? readsOtherwise(index, operation) : []), ...isInMedusa(index, operation)]
}

function readsOtherwise(index: SideIndex, operation: Operation): Difference[] {
  const document = index.documentBySource.get(sourceKey(operation))
  if (document?.status === "PAID") return []
  // Statuses are an open list; one of these words would say what became of the money.
  const isRefund = /REFUND|REVERS/i.test(document?.status ?? "")
  if (isRefund && operation.reservedRefundMinor > 0n) return []
  const code = isRefund ? "refund_unknown" : "completed_but_reads_otherwise"
  return [difference(code, { document, operation })]
}

function isInMedusa(index: SideIndex, operation: Operation): Difference[] {
  if (operation.recordedAt === null) {
    const ageMs = operation.readAt.getTime() - operation.createdAt.getTime()
    const isOwed = operation.reservedRefundMinor === 0n
    const isLate = isOwed && ageMs >= LIMITS.unrecordedAfterMs
    return isLate ? [difference("paid_not_recorded", { operation })] : []
  }
  const payment = paymentOf(index, operation)
  if (!payment) return [difference("recorded_not_captured", { operation })]
  const captured = moneyOf(payment, payment.capturedAmount)
  const refunded = moneyOf(payment, payment.refundedAmount)
  const about = { operation, payment }
  if (!captured || !sameMoney(captured, operation.amount)) {
    return [difference("amount_differs", about)]
  }
  if (!refunded || refunded.minor > operation.reservedRefundMinor) {
    return [difference("refund_unknown", about)]
  }
  const isGivenBack = refunded.minor >= captured.minor
  return [
    ...hasGoneBack(index, operation),
    ...(payment.isOrderCanceled && !isGivenBack
      ? [difference("order_canceled_but_paid", about)]
      : []),
  ]
}

/**
 * Money that Medusa holds as paid and that went back past it, and orders that a refund left open.
 */
function hasGoneBack(index: SideIndex, operation: Operation): Difference[] {
  const payment = operation.recordedAt === null ? undefined : paymentOf(index, operation)
  if (!payment) return []
  const about = { operation, payment }
  const shown = moneyOf(payment, payment.refundedAmount)
  const isPast = shown !== undefined && shown.minor < operation.refundedMinor
  const isUnclear = payment.isOrderOpen && index.unclear.has(operation.id)
  return [
    ...(isPast ? [difference("returned_not_in_medusa", about)] : []),
    ...(isUnclear ? [difference("credit_line_unclear", about)] : []),
  ]
}

function paymentOf(index: SideIndex, { paymentSessionId }: Operation): HostPayment | undefined {
  const own = index.paymentsBySession.get(paymentSessionId) ?? []
  return own.find(({ isCaptured, isCanceled }) => isCaptured && !isCanceled)
}

function comparePayment(index: SideIndex, payment: HostPayment): Difference[] {
  if (!payment.isCaptured || payment.isCanceled) return []
  const own = index.operationsBySession.get(payment.sessionId) ?? []
  if (own.some(({ state }) => state === "completed")) return []
  const [operation] = own
  return [
    operation
      ? difference("recorded_not_paid", { operation, payment })
      : difference("captured_without_operation", { payment }),
  ]
}

export function moneyOf({ currency }: HostPayment, amount: string): Money | undefined {
  const code = parseCurrency(currency)
  return code && moneyFromMajor(amount, code)
}

function difference(
  code: DifferenceCode,
  about: {
    readonly document?: GatewayDocument | undefined
    readonly operation?: Operation
    readonly payment?: HostPayment
  },
): Difference {
  const { document, operation, payment } = about
  const total = document?.total
  return {
    code,
    operationId: operation?.id ?? null,
    sourceType: document?.sourceType ?? operation?.sourceType ?? null,
    sourceId: document?.sourceId ?? operation?.sourceId ?? null,
    documentReference: document?.reference ?? null,
    gatewayStatus: document?.status ?? null,
    state: operation?.state ?? null,
    paymentId: payment?.id ?? null,
    orderId: payment?.orderId ?? operation?.orderId ?? null,
    gatewayAmount: total ? amountOf(total) : null,
    ledgerAmount: operation ? amountOf(operation.amount) : null,
    medusaAmount: payment
      ? { amount: payment.capturedAmount, currency: payment.currency.toUpperCase() }
      : null,
  }
}

const amountOf = (money: Money): SideAmount => ({
  amount: majorText(money),
  currency: money.currency,
})

/**
 * Documents of ours that are open at the gateway and that nobody should be able to pay any more:
 * made by a call whose answer was lost, or left open by a payment that has ended and can't be tried
 * again.
 *
 * @param books operations: every one that pays one of the documents, or that one was made for, read
 *   after them
 */
export function documentsToClose(
  books: Pick<SidesOfPeriod, "documents" | "operations" | "unaskableIds">,
): GatewayDocument[] {
  const { documents } = books
  const index = indexOf({ ...books, listed: [], unclearIds: [], payments: [] })
  return documents.filter((document) => {
    if (document.status !== "ACTIVE" && document.status !== "IDLE") return false
    const { payers, maker } = operationsOf(index, document)
    if (payers.length > 0) return payers.every((payer) => hasEnded(payer) && !mayBeRetried(payer))
    if (!maker) return false
    // Its answer may be on its way to a `start` that is at work.
    return hasEnded(maker) || maker.sourceId !== null
  })
}

/** Its document can be taken over by the shopper's next try. */
function mayBeRetried({ state, flow, collected, closing, expiresAt, readAt }: Operation): boolean {
  const isUsable = collected === null && closing === null
  return state === "failed" && flow === "push" && isUsable && expiresAt.getTime() > readAt.getTime()
}

/** Soon another comparison may say more. A list that is too long is so the next time, too. */
export function isWorthRepeating(because: readonly string[]): boolean {
  return because.some((code) => code !== "list_too_long")
}
