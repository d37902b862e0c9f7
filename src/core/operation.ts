/**
 * The operation: one intended movement of money, and the whole machine that it lives in, as data.
 *
 * `drafted`    nothing that can move money was sent
 * `submitted`  the reference is committed; the money call is about to go out or went out
 * `in_flight`  the gateway said that it works on it
 * `completed`  proof from the gateway, amount and currency equal
 * `failed`     the gateway said FAILED twice, or an admin dismissed it and the source is closed
 * `expired`    ended without money, with a reason
 * `review`     money and records disagree; a person decides
 *
 * A pair that is absent from `TRANSITIONS` is not a transition: the row stays as it is.
 */
import { LIMITS } from "./limits"
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
  // Only while not recorded: what Medusa knows is never taken back by a machine.
  completed: { strand: "review" },
  // Late money: never applied by itself, never lost; in doubt where the gateway contradicts itself.
  failed: { complete: "review", doubt: "review" },
  expired: { complete: "review", doubt: "review" },
  // A person's, or the account policy's, and named in the event.
  review: { accept: "completed", give_back: "completed", dismiss: "failed" },
} as const satisfies Record<string, Partial<Record<string, string>>>

export type State = keyof typeof TRANSITIONS
export type Event =
  | "submit"
  | "see"
  | "complete"
  | "fail"
  | "expire"
  | "doubt"
  | "strand"
  | "accept"
  | "give_back"
  | "dismiss"

export const STATES = Object.keys(TRANSITIONS) as readonly State[]

/**
 * States in which an operation holds its payment collection; `one_live_collection_…` says the same.
 */
export const LIVE_STATES = [
  "drafted",
  "submitted",
  "in_flight",
  "completed",
  "review",
] as const satisfies readonly State[]

/** The state after an event, or undefined where the machine has no such transition. */
export function stateAfter(state: State, event: Event): State | undefined {
  const row: Partial<Record<Event, State>> = TRANSITIONS[state]
  return row[event]
}

export type OperationType = "COLLECTION" | "REFUND" | "PAYOUT" | "TRANSFER"
export type Flow = "push" | "hosted" | "card" | "link"
export type SourceType = "ORDER" | "INVOICE"
/** Who pays the gateway's fees: the shopper on top of the total, or the shop out of it. */
export type FeeBearer = "PAYER" | "PAYEE"
export type OrderPlacement = "pay_first" | "order_first"

/** Why the gateway or we ended it; shown to the shopper. */
export const END_REASONS = [
  "declined",
  "insufficient_funds",
  "wrong_pin",
  "limit",
  "operator_unavailable",
  "canceled",
  "never_landed",
  "window_closed",
  "returned",
  "unknown",
] as const
export type EndReason = (typeof END_REASONS)[number]

/** Why an admin must decide; never shown to the shopper. */
export const REVIEW_REASONS = [
  "amount_mismatch",
  "currency_mismatch",
  "source_disagrees",
  "no_answer",
  "credentials",
  "late_payment",
  "order_canceled",
  "cart_changed",
  "session_gone",
  "provider_disabled",
  "another_payment",
  "cart_not_completed",
  "late_refund",
  "late_payout",
] as const
export type ReviewReason = (typeof REVIEW_REASONS)[number]

/** How the last sending of the money call ended, as far as we know. */
export type Sending = "sending" | "accepted" | "in_doubt" | "not_sent" | "refused"

/** One line of the payable document, named as the shopper knows it. */
export type Line = {
  readonly name: string
  /** How many pieces; 1 for a shipping method. Not always whole. */
  readonly quantity: number
  /** The total of the line, for all pieces together. */
  readonly amount: Money
}

/** What the gateway took, each as decimal text in major units. */
export type Fees = {
  readonly platform: string | null
  readonly gateway: string | null
  /** For the exchange. In which of the two currencies it counts is not shown (contract, 8). */
  readonly fx: string | null
  /** Of platform and gateway fee; null where the gateway named none, or two. */
  readonly currency: string | null
}

/** How many of `to` one of `from` bought, as the receipt has it; every digit kept. */
export type Exchange = {
  readonly rate: string | null
  readonly from: string | null
  readonly to: string | null
}

/** An operation as the ledger knows it. Times are the database's; `null` means absent. */
export type Operation = {
  readonly id: string
  readonly type: OperationType
  readonly state: State
  readonly surplus: boolean
  readonly flow: Flow
  readonly accountId: string
  /**
   * The credential it was made with; null until `start` makes something at the gateway with one.
   */
  readonly credentialId: string | null
  /** Empty, as the two below, for payouts and transfers: Medusa has no part in them. */
  readonly providerId: string
  readonly paymentCollectionId: string
  readonly paymentSessionId: string
  readonly cartId: string | null
  readonly orderId: string | null
  readonly amount: Money
  readonly collected: Money | null
  /** Refunds that are done, in flight or not known: what may not be given back once more. */
  readonly reservedRefundMinor: bigint
  /** The part of it of which the gateway said COMPLETED. */
  readonly refundedMinor: bigint
  /** Of a refund: the collection whose money goes back. */
  readonly parentId: string | null
  /**
   * Of a refund: Medusa's own id of it, where it asked for it; the key under which it is asked
   * once.
   */
  readonly hostRefundId: string | null
  /** Of a refund: what was asked for, in major units and not rounded. */
  readonly hostAmount: string | null
  /** Of money that goes out: who wants it, `medusa`, `policy refund_orphans` or a person's id. */
  readonly askedBy: string | null
  /** What the gateway calls a collection when its money goes back; most answers do not tell it. */
  readonly paymentIntentId: number | null
  readonly lines: readonly Line[]
  readonly sourceType: SourceType
  /** Set: the source is made document first, with this bearer. Null: by `checkouts/create`. */
  readonly feeBearer: FeeBearer | null
  readonly sourceId: number | null
  readonly sourceNumber: string | null
  readonly sourceStatus: string | null
  readonly partyId: number | null
  readonly gatewaySessionId: number | null
  readonly paymentAccountId: number | null
  readonly paymentMethod: string | null
  readonly carrier: string | null
  readonly payerCurrency: CurrencyCode | null
  readonly payerAmount: string | null
  /** What the merchant gets of it; as `fees` and `exchange`, stored and shown, never compared. */
  readonly payeeAmount: string | null
  readonly payeeCurrency: CurrencyCode | null
  readonly fees: Fees | null
  readonly exchange: Exchange | null
  readonly reference: string | null
  readonly hostedUrl: string | null
  readonly returnToken: string | null
  readonly successUrl: string | null
  readonly cancelUrl: string | null
  readonly phoneHint: string | null
  readonly expiresAt: Date
  /** When the order that waits for this money is closed, if it is not paid. Never moved. */
  readonly windowEndsAt: Date | null
  /** When the end of that time was dealt with: the order cancelled, or left to somebody. */
  readonly windowDoneAt: Date | null
  readonly reason: string | null
  readonly waiting: boolean
  readonly waitingAt: Date | null
  readonly sendings: number
  readonly lastSentAt: Date | null
  readonly lastSending: Sending | null
  readonly absentAt: Date | null
  readonly failedAt: Date | null
  readonly contradictedAt: Date | null
  readonly closing: EndReason | null
  readonly settleAttempts: number
  readonly checks: number
  readonly checkedAt: Date | null
  readonly nextCheckAt: Date | null
  readonly leaseToken: string | null
  readonly leaseUntil: Date | null
  readonly recordedAt: Date | null
  readonly returnedAt: Date | null
  /** Of a refund that Medusa asked for: when it was told that the money is on its way. */
  readonly answeredAt: Date | null
  /** Of a refund that did not go through after that: when Medusa's books were put right again. */
  readonly undoneAt: Date | null
  readonly version: number
  readonly createdAt: Date
  readonly submittedAt: Date | null
  /** The database's clock at the moment the row was read: what every age is measured against. */
  readonly readAt: Date
}

/** As much of a payment session of Medusa's as says whether it is for the same payment. */
export type ShownSession = {
  readonly id: string
  readonly providerId: string
  /** Major units, unrounded. */
  readonly amount: string
  readonly currency: string
}

/** Provider, amount (rounded to its currency) and currency agree. */
export function isSessionFor(
  { providerId, amount }: Pick<Operation, "providerId" | "amount">,
  session: ShownSession,
): boolean {
  return session.providerId === providerId && isMajorOf(amount, session)
}

/**
 * A refund that Medusa asked for, and has a row of its own for. All others go straight to the
 * gateway.
 */
export function isHostRefund({ type, hostRefundId }: Operation): boolean {
  return type === "REFUND" && hostRefundId !== null
}

/**
 * Leaves the merchant's own wallet, and no cart, order or payment session of Medusa's knows of it.
 */
export function isMoneyOut({ type }: Pick<Operation, "type">): boolean {
  return type === "PAYOUT" || type === "TRANSFER"
}

/** Holds its payment collection: no other collection may be started beside it. */
export function isLive(operation: Pick<Operation, "state" | "surplus" | "returnedAt">): boolean {
  const live: readonly State[] = LIVE_STATES
  return !operation.surplus && operation.returnedAt === null && live.includes(operation.state)
}

/** A draft whose `start` is at work, or may still be: its lease has not ended. */
export function hasRunningStart(operation: Operation): boolean {
  return (
    operation.state === "drafted" &&
    operation.leaseUntil !== null &&
    operation.leaseUntil.getTime() > operation.readAt.getTime()
  )
}

/**
 * The gateway has answered for the execution, to the call or to a question, whatever it says now.
 */
export function isKnownToGateway(operation: Pick<Operation, "state" | "lastSending">): boolean {
  return operation.state === "in_flight" || operation.lastSending === "accepted"
}

/** Ended without money, as far as we know; watched for a while. */
export function hasEnded({ state }: Pick<Operation, "state">): boolean {
  return state === "failed" || state === "expired"
}

/**
 * Ended, and a person has dismissed the money that had come by then; a source that asks for no more
 * than that is no news. Nothing is collected of what was dismissed as unpaid.
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

/**
 * Paid on the gateway's page: whoever holds its address can pay, and there is no execution of ours.
 */
export function isPage({ flow }: Pick<Operation, "flow">): boolean {
  return flow === "hosted" || flow === "link"
}

/** There is an execution of ours: money that goes back or out has one, and a page has none. */
export function hasExecution(operation: Pick<Operation, "type" | "flow" | "reference">): boolean {
  return operation.reference !== null && (operation.type !== "COLLECTION" || isPush(operation))
}

/**
 * Milliseconds for which another try may still take over the source of a failed push; 0: none may.
 */
export function reusableForMs(operation: Operation): number {
  if (operation.state !== "failed" || operation.flow !== "push") return 0
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

/** Ended, and the end of its order's time is not dealt with yet. */
export function hasOrderToClose(operation: Operation): boolean {
  return hasEnded(operation) && operation.windowDoneAt === null && isOrderWindowOver(operation)
}

/** Completed money that Medusa knows and that nobody gave back. */
export function isRecorded(operation: Operation): boolean {
  return (
    operation.type === "COLLECTION" &&
    operation.state === "completed" &&
    operation.recordedAt !== null &&
    operation.returnedAt === null
  )
}

/** Completed money that Medusa still has to be told about. */
export function isOwedToMedusa(operation: Operation): boolean {
  return (
    operation.type === "COLLECTION" &&
    operation.state === "completed" &&
    operation.recordedAt === null &&
    operation.returnedAt === null &&
    operation.reservedRefundMinor === 0n
  )
}

/** The gateway may take the shopper's money for this operation at any moment, or just has. */
export function isMoneyMoving(operation: Operation): boolean {
  if (operation.surplus || operation.returnedAt !== null) return false
  if (hasRunningStart(operation)) return true
  if (operation.state === "completed") return operation.recordedAt === null
  if (operation.state === "review") return true
  const isSourceMoving = operation.sourceStatus === "PROCESSING"
  // Late money on its way, as long as checks still go on: the cart must not be held for ever.
  if (operation.state === "failed" || operation.state === "expired") {
    return isSourceMoving && operation.nextCheckAt !== null
  }
  if (operation.state !== "submitted" && operation.state !== "in_flight") return false
  return operation.flow === "push" || operation.flow === "card" || isSourceMoving
}
