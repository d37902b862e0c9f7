/**
 * Compares what the gateway lists, what the ledger knows and what Medusa holds. Each difference has
 * a stable code. A list is a hint: `judge-difference.ts` asks about a source before it acts.
 *
 * Money under way is no difference, because its next check is due.
 */
import { operationIdOf } from "../../core/source-reference"
import type { MedusaPayment } from "../../core/medusa-records"
import { isTakenBack } from "../../core/decide/state-words"
import type { OperationId, SourceId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import type { DifferenceCode } from "../../core/messages"
import {
  isBelowSmallestUnit,
  majorText,
  moneyFromMajor,
  parseCurrency,
  sameMoney,
  type Money,
} from "../../core/money"
import {
  isOfMedusa,
  ofMedusa,
  hasEnded,
  isDismissed,
  isOwedToMedusa,
  isPush,
  receivedOf,
  type Operation,
  type SourceType,
} from "../../core/operation"
import type { KeptDifference, SideAmount } from "../schemas/reconciliation"

/** A period of time; `until` itself is not in it. */
export type Period = { readonly from: Date; readonly until: Date }

/** A source as the gateway lists it. */
export type GatewaySource = {
  readonly sourceType: SourceType
  readonly sourceId: SourceId
  /** The merchant's own id of the source; null: none. */
  readonly reference: string | null
  /** True: the reference is without this store's mark. A payment of the ledger is this store's all the same. */
  readonly isUnmarked?: boolean
  readonly status: string
  /** Null where the list does not say the total. */
  readonly total: Money | null
  /**
   * When the source was last paid, changed or made, by the gateway's clock; never decides about
   * money.
   */
  readonly touchedAt?: Date | null
}

/** One difference, before it is judged. All keys are there; absent is null. */
export type Difference = Omit<KeptDifference, "done">

export type SidesOfPeriod = {
  readonly sources: readonly GatewaySource[]
  /**
   * The source types whose list was read whole. Of another type, a missing source means nothing.
   */
  readonly listed: readonly SourceType[]
  readonly operations: readonly Operation[]
  /**
   * Operations made with other credentials: another merchant may have sources with the same
   * numbers.
   */
  readonly unaskableIds: readonly OperationId[]
  /** Collections with a refund whose credit line in Medusa is not known. */
  readonly unclearIds: readonly OperationId[]
  /**
   * By the payment's id: the money that went back and was never in Medusa, in the smallest unit.
   */
  readonly restBack: ReadonlyMap<string, bigint>
  readonly payments: readonly MedusaPayment[]
}

export function compareSides(sides: SidesOfPeriod): Difference[] {
  const index = indexOf(sides)
  return [
    ...sides.sources.flatMap((source) => compareSource(index, source)),
    ...sides.operations.flatMap((operation) => compareOperation(sides, index, operation)),
    ...sides.payments.flatMap((payment) => comparePayment(index, payment)),
  ]
}

/** Lookups of the sides, which keep the comparison of a busy week linear. */
export type SideIndex = ReturnType<typeof indexOf>

export function indexOf(sides: SidesOfPeriod) {
  const { sources, operations, payments, unclearIds } = sides
  const unaskable = new Set(sides.unaskableIds)
  const payers = operations.filter(({ id, sourceId }) => sourceId !== null && !unaskable.has(id))
  return {
    operationById: new Map(operations.map((operation) => [operation.id, operation])),
    operationsBySource: groupedBy(payers, sourceKey),
    operationsBySession: groupedBy(
      operations.filter(isOfMedusa),
      ({ paymentSessionId }) => paymentSessionId,
    ),
    listedById: new Map(sources.map((source) => [sourceKey(source), source])),
    paymentsBySession: groupedBy(payments, ({ sessionId }) => sessionId),
    holderBySession: new Map(
      // The last one of a session stays: recorded money, before money that is still to be recorded.
      [...operations.filter(holds)]
        .sort((one, other) => Number(one.recordedAt !== null) - Number(other.recordedAt !== null))
        .map((one) => [one.paymentSessionId, one]),
    ),
    unaskable,
    unclear: new Set(unclearIds),
    restBack: sides.restBack,
  }
}

/**
 * Whether Medusa's payment of the session is this operation's money. A duplicate payment of the
 * same session has its own money, which Medusa never had.
 */
export function holds({
  state,
  recordedAt,
  returnedAt,
  isDuplicate,
}: Pick<Operation, "state" | "recordedAt" | "returnedAt" | "isDuplicate">): boolean {
  return recordedAt !== null || (state === "completed" && !isDuplicate && returnedAt === null)
}

export function groupedBy<T>(list: readonly T[], keyOf: (one: T) => string) {
  const groups = new Map<string, [T, ...T[]]>()
  for (const one of list) {
    const group = groups.get(keyOf(one))
    if (group) group.push(one)
    else groups.set(keyOf(one), [one])
  }
  return groups
}

/** The type is in the key, because the numbers of orders and invoices are independent. */
export function sourceKey(source: Pick<Operation, "sourceType" | "sourceId">): string {
  return `${source.sourceType} ${source.sourceId}`
}

/** The operations that pay a source, and the operation that made it, which may pay another one. */
export function operationsOf(index: SideIndex, source: GatewaySource) {
  const named = operationIdOf(source.reference ?? "")
  // A maker of other credentials is left out, even if it pays this very source.
  const id = named !== undefined && index.unaskable.has(named) ? undefined : named
  return {
    isOurs: id !== undefined && source.isUnmarked !== true,
    isLikeOurs: id !== undefined,
    payers: index.operationsBySource.get(sourceKey(source)) ?? [],
    maker: id === undefined ? undefined : index.operationById.get(id),
  }
}

/** A database that has lost commits knows the payment, and not the source that was made for it. */
export const lacksSource = (maker: Operation): boolean =>
  maker.sourceId === null && !hasEnded(maker)

const isPaid = ({ state }: Operation) => state === "completed" || state === "review"

/** Money of another program: listed apart, in no sum, and of no agreement. */
const ELSEWHERE = "paid_elsewhere"
export const isElsewhere = ({ code }: { readonly code: string }) => code === ELSEWHERE

function compareSource(index: SideIndex, source: GatewaySource): Difference[] {
  const { isOurs, isLikeOurs, payers, maker } = operationsOf(index, source)
  const payer = payers.find(isPaid)
  if (payer && countsAsPaid(source, payer)) return compareTotal(source, payer)
  if (source.status !== "PAID") return []
  const open = payers.find((operation) => !hasEnded(operation))
  if (open) return [difference("paid_not_completed", { source, operation: open })]
  const ended = payers.find((one) => !isDismissed(one, source.total))
  if (ended) return [difference("paid_after_end", { source, operation: ended })]
  const [dismissed] = payers
  if (dismissed) return compareTotal(source, dismissed)
  if (!maker && !isLikeOurs) return []
  if (!maker) return [difference(isOurs ? "paid_unknown_to_ledger" : ELSEWHERE, { source })]
  if (lacksSource(maker)) {
    return [difference("paid_not_completed", { source, operation: maker })]
  }
  // A maker whose own source brought money, even dismissed money, is paid a second time.
  const isLate = hasEnded(maker) && maker.collected === null
  const code = isLate ? "paid_after_end" : "paid_twice"
  return [difference(code, { source, operation: maker })]
}

/** Money that the gateway lists, and the payment that has it: money for an admin is also what was asked. */
function compareTotal(source: GatewaySource, payer: Operation): Difference[] {
  const received = receivedOf(payer)
  const total = source.total ?? received
  const isOther = (own: Money | null) => !own || !total || !sameMoney(total, own)
  // In a completed payment, an admin has decided about the part above the asked amount.
  const differs = isOther(received) || (payer.state === "review" && isOther(payer.amount))
  return differs ? [difference("amount_differs", { source, operation: payer })] : []
}

function compareOperation(
  sides: SidesOfPeriod,
  index: SideIndex,
  operation: Operation,
): Difference[] {
  // A source that was asked about by itself counts as read.
  const isRead =
    sides.listed.includes(operation.sourceType) || index.listedById.has(sourceKey(operation))
  const isListed = isRead && !index.unaskable.has(operation.id)
  const unlisted = isListed ? isNotListed(index, operation) : []
  if (operation.state !== "completed") return unlisted
  if (operation.returnedAt !== null) return [...unlisted, ...hasGoneBack(index, operation)]
  return [...(isListed ? readsOtherwise(index, operation) : []), ...isInMedusa(index, operation)]
}

/** Money that our sums have and the gateway's have not, of a payment that is not simply completed. */
function isNotListed(index: SideIndex, operation: Operation): Difference[] {
  const source = index.listedById.get(sourceKey(operation))
  if (receivedOf(operation) === null || countsAsPaid(source, operation)) return []
  return [difference("paid_not_listed", { source, operation })]
}

/** A source may read otherwise once its money went back; that it was paid stays true. */
export function countsAsPaid(
  source: Pick<GatewaySource, "status"> | undefined,
  payer: Pick<Operation, "reservedRefundMinor" | "takenBackAt"> | undefined,
): boolean {
  if (source?.status === "PAID") return true
  if (!payer || !isTakenBack(source?.status ?? "")) return false
  return payer.reservedRefundMinor > 0n || payer.takenBackAt !== null
}

function readsOtherwise(index: SideIndex, operation: Operation): Difference[] {
  const source = index.listedById.get(sourceKey(operation))
  if (source?.status === "PAID") return []
  const isRefund = isTakenBack(source?.status ?? "")
  if (isRefund && operation.reservedRefundMinor > 0n) return []
  // It counts as gone, and an admin has dealt with it.
  const { takenBackAt, contradictedAt } = operation
  if (isRefund && takenBackAt !== null && contradictedAt === null) return []
  const code = isRefund ? "refund_unknown" : "completed_but_reads_otherwise"
  return [difference(code, { source, operation })]
}

function isInMedusa(index: SideIndex, operation: Operation): Difference[] {
  const { recordedAt, paymentSessionId } = operation
  const isHolder = index.holderBySession.get(paymentSessionId)?.id === operation.id
  const payment = isHolder ? paymentOf(index, operation) : undefined
  const captured = payment && moneyOf(payment, payment.capturedAmount)
  if (payment && (!captured || !sameMoney(captured, operation.amount))) {
    return [difference("amount_differs", { operation, payment })]
  }
  if (recordedAt === null) {
    const ageMs = operation.readAt.getTime() - operation.createdAt.getTime()
    const isLate = isOwedToMedusa(operation) && ageMs >= LIMITS.unrecordedAfterMs
    return isLate ? [difference("paid_not_recorded", { operation })] : []
  }
  if (!payment || !captured) return [difference("recorded_not_captured", { operation })]
  const refunded = moneyOf(payment, payment.refundedAmount)
  const about = { operation, payment }
  const isTaken = operation.takenBackAt !== null
  // Medusa may show as refunded what the operator took back: nothing is sent for that.
  const takenMinor = isTaken ? operation.amount.minor : 0n
  const sentMinor = operation.reservedRefundMinor - restBackOf(index, operation) + takenMinor
  if (!refunded || refunded.minor > sentMinor) {
    return [difference("refund_unknown", about)]
  }
  const isGivenBack = isTaken || refunded.minor >= captured.minor
  return [
    ...hasGoneBack(index, operation),
    ...(payment.isOrderCanceled && !isGivenBack
      ? [difference("order_canceled_but_paid", about)]
      : []),
  ]
}

/**
 * Differences of money that went back while Medusa still holds it as paid, and of orders that a
 * refund left open.
 */
function hasGoneBack(index: SideIndex, operation: Operation): Difference[] {
  const payment = operation.recordedAt === null ? undefined : paymentOf(index, operation)
  if (!payment) return []
  const about = { operation, payment }
  const shown = moneyOf(payment, payment.refundedAmount)
  const ownMinor = operation.refundedMinor - restBackOf(index, operation)
  const isPast = shown !== undefined && shown.minor < ownMinor
  const isUnclear = payment.isOrderOpen && index.unclear.has(operation.id)
  return [
    ...(isPast ? [difference("returned_not_in_medusa", about)] : []),
    ...(isUnclear ? [difference("credit_line_unclear", about)] : []),
  ]
}

/**
 * The part above the asked amount that went back. Medusa never had it, so Medusa's refunds do not
 * show it. What an admin only noted has not gone back.
 */
function restBackOf({ restBack }: Pick<SideIndex, "restBack">, { id }: Operation): bigint {
  return restBack.get(id) ?? 0n
}

function paymentOf(index: SideIndex, operation: Operation): MedusaPayment | undefined {
  const own = index.paymentsBySession.get(ofMedusa(operation).paymentSessionId) ?? []
  return own.find(({ isCaptured, isCanceled }) => isCaptured && !isCanceled)
}

function comparePayment(index: SideIndex, payment: MedusaPayment): Difference[] {
  if (!payment.isCaptured || payment.isCanceled) return []
  if (index.holderBySession.has(payment.sessionId)) return []
  const [operation] = index.operationsBySession.get(payment.sessionId) ?? []
  const { capturedAmount: amount, currency } = payment
  if (!operation && isBelowSmallestUnit({ amount, currency })) return []
  return [
    operation
      ? difference("recorded_not_paid", { operation, payment })
      : difference("captured_without_operation", { payment }),
  ]
}

export function moneyOf({ currency }: MedusaPayment, amount: string): Money | undefined {
  const code = parseCurrency(currency)
  return code && moneyFromMajor(amount, code)
}

function difference(
  code: DifferenceCode,
  about: {
    readonly source?: GatewaySource | undefined
    readonly operation?: Operation
    readonly payment?: MedusaPayment
  },
): Difference {
  const { source, operation, payment } = about
  const total = source?.total
  return {
    code,
    operation_id: operation?.id ?? null,
    state: operation?.state ?? null,
    source_type: source?.sourceType ?? operation?.sourceType ?? null,
    source_id: source?.sourceId ?? operation?.sourceId ?? null,
    document_reference: source?.reference ?? null,
    gateway_status: source?.status ?? null,
    payment_id: payment?.id ?? null,
    order_id: payment?.orderId ?? operation?.orderId ?? null,
    gateway_amount: total ? amountOf(total) : null,
    ledger_amount: operation ? amountOf(operation.amount) : null,
    medusa_amount: payment
      ? { amount: payment.capturedAmount, currency: payment.currency.toUpperCase() }
      : null,
  }
}

const amountOf = (money: Money): SideAmount => ({
  amount: majorText(money),
  currency: money.currency,
})

/**
 * Our open sources that a payer must not be able to pay any more: made by a call whose answer was
 * lost, or left open by a payment that has ended and can't be tried again.
 *
 * @param sides its operations are all payers and makers of the sources, read after the sources
 */
export function sourcesToClose(
  sides: Pick<SidesOfPeriod, "sources" | "operations" | "unaskableIds">,
): GatewaySource[] {
  const { sources } = sides
  const index = indexOf({
    ...sides,
    listed: [],
    unclearIds: [],
    restBack: new Map(),
    payments: [],
  })
  return sources.filter((source) => {
    if (source.status !== "ACTIVE" && source.status !== "IDLE") return false
    const { payers, maker } = operationsOf(index, source)
    if (payers.length > 0) return payers.every((payer) => hasEnded(payer) && !mayBeRetried(payer))
    if (!maker) return false
    // If the maker is live and has no source, its answer may be on its way to a `start` at work.
    return hasEnded(maker) || maker.sourceId !== null
  })
}

/** Whether the shopper's next try can take over the source of this one. */
function mayBeRetried({ state, flow, collected, closing, expiresAt, readAt }: Operation): boolean {
  const isUsable = collected === null && closing === null
  return (
    state === "failed" && isPush({ flow }) && isUsable && expiresAt.getTime() > readAt.getTime()
  )
}

/**
 * Whether another comparison may soon say more. A list that is too long, or that is only a page,
 * stays so.
 */
export function isWorthRepeating(because: readonly string[]): boolean {
  return because.some((code) => code !== "list_too_long" && code !== "list_incomplete")
}
