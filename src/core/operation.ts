/**
 * The operation: one intended movement of money, and its whole state machine as data.
 *
 * `drafted`    nothing that can move money was sent, as far as the ledger knows
 * `submitted`  the reference is committed; the money call is about to go out or went out
 * `in_flight`  the gateway said that it works on it
 * `completed`  proof from the gateway, amount and currency equal
 * `failed`     the gateway said FAILED twice, or an admin dismissed it; its source is closed next
 * `expired`    ended without money, with a reason
 * `review`     money and records disagree; an admin decides
 *
 * A pair that is absent from `TRANSITIONS` is not a transition: the row stays as it is.
 */
export * from "./operation-types"
import type { FeeBearer, Flow, OperationType, SourceType } from "./operation-types"
import type {
  AccountId,
  CartId,
  CredentialId,
  GatewaySessionId,
  LeaseToken,
  MedusaRefundId,
  OperationId,
  OrderId,
  PartyId,
  PaymentAccountId,
  PaymentCollectionId,
  PaymentIntentId,
  PaymentSessionId,
  Reference,
  SourceId,
} from "./ids"
import { LIMITS } from "./limits"
import { END, REVIEW } from "./messages/reason.en"
import { isMajorOf, type CurrencyCode, type Money } from "./money"

export const TRANSITIONS = {
  drafted: { submit: "submitted", expire: "expired" },
  submitted: {
    see: "in_flight",
    complete: "completed",
    fail: "failed",
    expire: "expired",
    doubt: "review",
  },
  in_flight: { complete: "completed", fail: "failed", expire: "expired", doubt: "review" },
  // Only while not recorded: what was recorded in Medusa is never taken back automatically.
  completed: { strand: "review" },
  // Late money is never applied by itself and never lost. `doubt`: the gateway contradicts itself.
  failed: { complete: "review", doubt: "review" },
  expired: { complete: "review", doubt: "review" },
  // The decision of an admin or of the account's policy; the event names which.
  review: { accept: "completed", give_back: "completed", dismiss: "failed" },
} as const satisfies Record<string, Partial<Record<string, string>>>

export type State = keyof typeof TRANSITIONS
type EventsOf<Row> = Row extends unknown ? keyof Row : never
export type Event = EventsOf<(typeof TRANSITIONS)[State]>

export const STATES = Object.keys(TRANSITIONS) as readonly State[]

/** Sent to the gateway, which has not said how it ended. */
export function isUnderWay({ state }: { readonly state: State }): boolean {
  return state === "submitted" || state === "in_flight"
}

/** The state after an event, or undefined where the machine has no such transition. */
export function stateAfter(state: State, event: Event): State | undefined {
  const row: Partial<Record<Event, State>> = TRANSITIONS[state]
  return row[event]
}

export type OrderPlacement = "pay_first" | "order_first"

/** Why the gateway or we ended the operation. A shopper gets the code; the kit has the words. */
export type EndReason = keyof typeof END
export const END_REASONS = Object.keys(END) as readonly EndReason[]

/** Why an admin must decide; never shown to the shopper. */
export type ReviewReason = keyof typeof REVIEW
export const REVIEW_REASONS = Object.keys(REVIEW) as readonly ReviewReason[]

/** How the last sending of the money call ended, as far as we know. */
export type Sending = "sending" | "accepted" | "in_doubt" | "not_sent" | "refused"

/** One line of the source, named as the shopper knows it. */
export type Line = {
  readonly name: string
  /** How many pieces; 1 for a shipping method. Not always whole. */
  readonly quantity: number
  /** The total of the line, for all pieces together. */
  readonly amount: Money
}

/** The fees that the gateway took, each as decimal text in major units. */
export type Fees = {
  readonly platform: string | null
  readonly gateway: string | null
  /** The fee for the exchange. In which of its two currencies is not shown (contract, 8). */
  readonly fx: string | null
  /** The currency of platform and gateway fee; null where the gateway named none, or two. */
  readonly currency: string | null
}

/** One `from` bought `rate` of `to`, as the receipt has it; every digit kept. */
export type Exchange = {
  readonly rate: string | null
  readonly from: string | null
  readonly to: string | null
}

/** An operation as the ledger knows it. Times are the database's; `null` means absent. */
export type Operation = {
  readonly id: OperationId
  readonly type: OperationType
  readonly state: State
  readonly isDuplicate: boolean
  readonly flow: Flow
  readonly accountId: AccountId
  /** The credential that made it; null until `start` makes something at the gateway. */
  readonly credentialId: CredentialId | null
  /** As the two ids below, empty for payouts and transfers: Medusa has no part in them. */
  readonly providerId: string
  readonly paymentCollectionId: PaymentCollectionId
  readonly paymentSessionId: PaymentSessionId
  readonly cartId: CartId | null
  readonly orderId: OrderId | null
  readonly amount: Money
  readonly collected: Money | null
  /** Refunds done, in flight or unclear, in the smallest unit: these can't be given back again. */
  readonly reservedRefundMinor: bigint
  /** The part of `reservedRefundMinor` of which the gateway said COMPLETED. */
  readonly refundedMinor: bigint
  /** Of a refund: the collection whose money goes back. */
  readonly parentId: OperationId | null
  /** Of a refund that Medusa asked for: Medusa's id of the refund, under which it is made once. */
  readonly medusaRefundId: MedusaRefundId | null
  /** Of a refund: the amount that was asked for, in major units and not rounded. */
  readonly medusaAmount: string | null
  /** Who asked for money to go back or out: `medusa`, a policy, `unknown` or an admin's id. */
  readonly askedBy: string | null
  /** The gateway's id of a collection, needed for its refund; most answers lack it. */
  readonly paymentIntentId: PaymentIntentId | null
  readonly lines: readonly Line[]
  readonly sourceType: SourceType
  /** Set: the source is made document first, with this bearer. Null: by `checkouts/create`. */
  readonly feeBearer: FeeBearer | null
  readonly sourceId: SourceId | null
  readonly sourceNumber: string | null
  readonly sourceStatus: string | null
  readonly partyId: PartyId | null
  readonly gatewaySessionId: GatewaySessionId | null
  readonly paymentAccountId: PaymentAccountId | null
  readonly paymentMethod: string | null
  readonly carrier: string | null
  readonly payerCurrency: CurrencyCode | null
  readonly payerAmount: string | null
  /** What the payer was shown before paying, in `payerCurrency`; `start` has confirmed it. */
  readonly quotedPayerAmount: string | null
  /** What the merchant gets; as `fees` and `exchange`, it is stored and shown, never compared. */
  readonly payeeAmount: string | null
  readonly payeeCurrency: CurrencyCode | null
  readonly fees: Fees | null
  readonly exchange: Exchange | null
  /** The reference that `submit` will commit. Made with the draft, so that no other goes out. */
  readonly draftReference: Reference
  /** Null until `submit` is committed: as far as the ledger knows, nothing was sent before. */
  readonly reference: Reference | null
  /** Card: the secret with which the browser authenticates the shopper; gone after the payment. */
  readonly cardSecret: { readonly ciphertext: string; readonly keyId: string } | null
  readonly hostedUrl: string | null
  readonly returnToken: string | null
  readonly successUrl: string | null
  readonly cancelUrl: string | null
  readonly phoneHint: string | null
  /** Money came on the prompt's source, and no answer says that this prompt brought it. */
  readonly isPayerUnknown: boolean
  readonly expiresAt: Date
  /** When the order that waits for this money is closed, if it is not paid. Never moved. */
  readonly windowEndsAt: Date | null
  /** When the order was cancelled, or left to an admin, because `windowEndsAt` had passed. */
  readonly windowDoneAt: Date | null
  readonly reason: string | null
  readonly waiting: boolean
  readonly waitingAt: Date | null
  readonly sendings: number
  readonly lastSentAt: Date | null
  readonly lastSending: Sending | null
  readonly absentAt: Date | null
  readonly failedAt: Date | null
  /** Since when the gateway's answers do not fit together, or its source can't be read. */
  readonly contradictedAt: Date | null
  /** Since when the source reads paid in another way than by the execution, which reads FAILED. */
  readonly paidOtherwiseAt: Date | null
  readonly closing: EndReason | null
  readonly settleAttempts: number
  readonly checks: number
  readonly checkedAt: Date | null
  readonly nextCheckAt: Date | null
  readonly leaseToken: LeaseToken | null
  readonly leaseUntil: Date | null
  readonly recordedAt: Date | null
  readonly returnedAt: Date | null
  /** When the ledger first had proof that the money moved, whatever was decided about it later. */
  readonly moneyAt: Date | null
  /** When the gateway said twice that the operator took the recorded money back. */
  readonly takenBackAt: Date | null
  /** Of a refund that Medusa asked for: when Medusa got the answer that the money is on its way. */
  readonly answeredAt: Date | null
  /** Of a refund that failed after that answer: when Medusa's records were put right again. */
  readonly undoneAt: Date | null
  /** W3C `traceparent` of what has sent it; null: nothing was sent, or a version before did. */
  readonly traceParent: string | null
  readonly version: number
  readonly createdAt: Date
  readonly submittedAt: Date | null
  /** The database's clock at the moment the row was read: what every age is measured against. */
  readonly readAt: Date
}

/** The part of a payment session of Medusa's that says whether it is for the same payment. */
export type ShownSession = {
  readonly id: PaymentSessionId
  readonly providerId: string
  /** The session's amount: major units, unrounded. */
  readonly amount: string
  readonly currency: string
}

/** Whether provider, amount (rounded to its currency) and currency agree. */
export function isSessionFor(
  { providerId, amount }: Pick<Operation, "providerId" | "amount">,
  session: ShownSession,
): boolean {
  return session.providerId === providerId && isMajorOf(amount, session)
}

/** A refund that Medusa asked for and has a row for. All others go straight to the gateway. */
export function isMedusaRefund({ type, medusaRefundId }: Operation): boolean {
  return type === "REFUND" && medusaRefundId !== null
}

/** Money that leaves the merchant's own wallet; no cart, order or session in Medusa knows it. */
export function isMoneyOut({ type }: Pick<Operation, "type">): boolean {
  return type === "PAYOUT" || type === "TRANSFER"
}

/** It holds its payment collection, as constraint `one_live_collection_…` does: no other begins. */
export function isLive(
  operation: Pick<Operation, "state" | "isDuplicate" | "returnedAt">,
): boolean {
  return !hasEnded(operation) && !operation.isDuplicate && operation.returnedAt === null
}

/** A draft whose `start` is at work, or may still be: its lease has not ended. */
export function hasRunningStart(operation: Operation): boolean {
  return (
    operation.state === "drafted" &&
    operation.leaseUntil !== null &&
    operation.leaseUntil.getTime() > operation.readAt.getTime()
  )
}

/** Whether `one` was made later; of two of the same moment the larger id is newer. */
export function isNewer(one: Operation, other: Operation): boolean {
  const laterMs = one.createdAt.getTime() - other.createdAt.getTime()
  return laterMs === 0 ? one.id > other.id : laterMs > 0
}

/** The gateway has answered for the execution, to the call or to a check, whatever it says now. */
export function isKnownToGateway(operation: Pick<Operation, "state" | "lastSending">): boolean {
  return operation.state === "in_flight" || operation.lastSending === "accepted"
}

/** Ended without money, as far as we know; watched for a while. */
export function hasEnded({ state }: Pick<Operation, "state">): boolean {
  return state === "failed" || state === "expired"
}

/** What the gateway took of a payment: what it said, else what was asked for; null: nothing came. */
export function receivedOf({
  state,
  collected,
  amount,
}: Pick<Operation, "state" | "collected" | "amount">): Money | null {
  return collected ?? (state === "completed" ? amount : null)
}

/**
 * The payment has ended, and an admin has dismissed the money that had come by then; a source that
 * asks for no more is no news. What was dismissed as unpaid has nothing collected.
 */
export function isDismissed(
  operation: Pick<Operation, "state" | "collected">,
  total: Money | null,
): boolean {
  const { collected } = operation
  if (!hasEnded(operation) || collected === null) return false
  return total === null || total.currency !== collected.currency || total.minor <= collected.minor
}

/** The prompt goes to the shopper's phone or card; there is an execution of ours. */
export function isPush({ flow }: Pick<Operation, "flow">): boolean {
  return flow === "push" || flow === "card"
}

/** Paid on the gateway's page: anyone with its address can pay. There is no execution of ours. */
export function isPage({ flow }: Pick<Operation, "flow">): boolean {
  return flow === "hosted" || flow === "link"
}

/** There is an execution of ours: money that goes back or out has one, and a page has none. */
export function hasExecution(operation: Pick<Operation, "type" | "flow" | "reference">): boolean {
  return operation.reference !== null && (operation.type !== "COLLECTION" || isPush(operation))
}

/** Milliseconds in which a new try may take over a failed push's or card's source; 0: none may. */
export function reusableForMs(operation: Operation): number {
  if (operation.state !== "failed" || !isPush(operation)) return 0
  if (operation.collected !== null || operation.closing !== null) return 0
  if (isOrderWindowOver(operation)) return 0
  const leftMs = operation.expiresAt.getTime() - operation.readAt.getTime()
  return Math.max(0, leftMs - LIMITS.sourceReuseLeftMs)
}

/** The order that waits for this money has no time left. */
export function isOrderWindowOver(operation: Pick<Operation, "windowEndsAt" | "readAt">): boolean {
  const { windowEndsAt, readAt } = operation
  return windowEndsAt !== null && windowEndsAt.getTime() <= readAt.getTime()
}

/** The time to pay is over: the operation's own, or its order's. */
export function isTimeToPayOver(
  operation: Pick<Operation, "expiresAt" | "windowEndsAt" | "readAt">,
): boolean {
  return operation.expiresAt.getTime() <= operation.readAt.getTime() || isOrderWindowOver(operation)
}

/** The payment has ended, its order's time is over, and the order's end is not dealt with yet. */
export function hasOrderToClose(operation: Operation): boolean {
  return hasEnded(operation) && operation.windowDoneAt === null && isOrderWindowOver(operation)
}

/** Completed money that Medusa has and that was not given back. */
export function isRecorded(operation: Operation): boolean {
  return isKept(operation) && operation.recordedAt !== null
}

/** Completed money that Medusa must record; only the rest above the amount may have gone back. */
export function isOwedToMedusa(operation: Operation): boolean {
  const isOthersBack = operation.reservedRefundMinor > restMinor(operation)
  return isKept(operation) && operation.recordedAt === null && !isOthersBack
}

/** The money above the asked amount, in the smallest unit: no order asks for it. */
export function restMinor({ amount, collected }: Pick<Operation, "amount" | "collected">): bigint {
  const more = collected === null ? 0n : collected.minor - amount.minor
  return more > 0n ? more : 0n
}

/** No refund is under way, and only money above the asked amount has gone back. */
export function isNoneUnderWay(operation: Operation): boolean {
  const { reservedRefundMinor: reserved, refundedMinor } = operation
  return reserved === refundedMinor && reserved <= restMinor(operation)
}

function isKept({ type, state, returnedAt }: Operation): boolean {
  return type === "COLLECTION" && state === "completed" && returnedAt === null
}

/** A refund that Medusa asked for and may not have recorded: its money went or is on its way. */
export function isUndelivered(refund: Operation): boolean {
  const isGoing = refund.state === "in_flight" && refund.failedAt === null
  return (
    isMedusaRefund(refund) &&
    refund.recordedAt === null &&
    !refund.isDuplicate &&
    (refund.state === "completed" || isGoing)
  )
}

/** A refund that Medusa asked for and may still show, although it ended without money. */
export function isToUndo(refund: Operation): boolean {
  return isMedusaRefund(refund) && hasEnded(refund) && refund.undoneAt === null
}

/** The gateway may take the shopper's money for this operation at any moment, or just has. */
export function isMoneyMoving(operation: Operation): boolean {
  if (operation.isDuplicate || operation.returnedAt !== null) return false
  if (hasRunningStart(operation)) return true
  if (operation.state === "completed") return operation.recordedAt === null
  if (operation.state === "review") return true
  const isSourceMoving = operation.sourceStatus === "PROCESSING"
  // Late money on its way counts only while checks go on: the cart must not be held for ever.
  if (hasEnded(operation)) return isSourceMoving && operation.nextCheckAt !== null
  return operation.state !== "drafted" && (isPush(operation) || isSourceMoving)
}
