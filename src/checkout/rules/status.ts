/**
 * STATUS: what a shopper's page shows of a payment. Customer-safe by construction: it is built
 * field by field from the operation, and holds no phone number, no gateway message and no secret.
 * The secret that a card needs in the browser is added for its shopper alone (`read-status.ts`).
 */
import { failedLeftMs } from "../../core/decide/decision"
import { FLOWS } from "../../core/flows"
import type { CustomerId, PaymentSessionId } from "../../core/ids"
import { majorNumber, type Money } from "../../core/money"
import {
  ofMedusa,
  type MedusaOperation,
  END_REASONS,
  hasRunningStart,
  isKnownToGateway,
  isOrderWindowOver,
  isPage,
  isPush,
  type EndReason,
  type Flow,
  type Operation,
  isUnderWay,
} from "../../core/operation"
import { payerHint } from "../../core/payer-hint"
import {
  beyondAmountOf,
  isReturnedUnrecorded,
  opensOrder,
  standingReason,
  takenBackOf,
  wasRecorded,
} from "../../core/recorded"
import type { Status, StatusState } from "../schemas/status"

export function statusState(operation: Operation): StatusState {
  switch (operation.state) {
    case "drafted":
      return hasRunningStart(operation) ? "waiting_for_payer" : "ready"
    case "submitted":
    case "in_flight":
      return needsAction(operation) ? "action_required" : "waiting_for_payer"
    case "completed":
      if (isReturnedUnrecorded(operation)) return "expired"
      return wasRecorded(operation) ? "paid" : "processing"
    case "failed":
      return "failed"
    case "expired":
      return "expired"
    case "review":
      return "under_review"
  }
}

/** The shopper is to authenticate the card: the payment has not failed, and is not being closed. */
function needsAction({ cardSecret, failedAt, closing }: Operation): boolean {
  return cardSecret !== null && failedAt === null && closing === null
}

/**
 * @param id the payment session that STATUS names: the current one, or an old one that asks
 * @param isLoggedIn whether the reader is the registered customer whose payment it is
 */
export function statusOf(
  operation: Operation,
  id = ofMedusa(operation).paymentSessionId,
  isLoggedIn = false,
): Status {
  const state = statusState(operation)
  const beyond = beyondAmountOf(operation)
  const payerAmount = operation.payerAmount ?? operation.quotedPayerAmount
  return {
    id,
    state,
    flow: operation.flow,
    provider_id: ofMedusa(operation).providerId,
    amount: majorNumber(operation.amount),
    returned_amount: returnedOf(operation, state),
    beyond_amount: beyond && majorNumber(beyond),
    currency: operation.amount.currency,
    payer_amount: payerAmount === null ? null : Number(payerAmount),
    payer_currency: operation.payerCurrency,
    reference: isPush(operation) ? operation.reference : null,
    url: shownUrl(operation),
    client_secret: null,
    prompt: promptOf(operation, state),
    operator:
      operation.paymentMethod === null
        ? null
        : { payment_method: operation.paymentMethod, carrier: operation.carrier },
    phone_hint: payerHint(operation),
    reason: shownReason(operation, state),
    can_retry: canRetry(operation, state),
    can_cancel: canCancel(operation, state),
    expires_at: operation.expiresAt.toISOString(),
    expires_in_seconds: secondsLeft(operation),
    order_id: opensOrder(operation, isLoggedIn) ? operation.orderId : null,
    checked_at: operation.checkedAt?.toISOString() ?? null,
    receipt_url: null,
  }
}

/**
 * The payment page's address, once it is committed: for a payment by page that is `submitted` or
 * `in_flight`. A push's source has a page too; shown beside the prompt it would let a shopper pay
 * twice.
 */
export function shownUrl(operation: Operation): string | null {
  return isPage(operation) && isUnderWay(operation) ? operation.hostedUrl : null
}

/**
 * STATUS of a payment for another total than Medusa asks for now: its state, and nothing to pay
 * with.
 */
export function withheld(status: Status): Status {
  const state = status.state === "action_required" ? "waiting_for_payer" : status.state
  return { ...status, state, amount: null, payer_amount: null, url: null, client_secret: null }
}

/** STATUS of a session for which nothing was started yet; a registered customer reads their own. */
export function readyStatus(
  session: Pick<MedusaOperation, "providerId" | "orderId"> & {
    readonly id: PaymentSessionId
    readonly registeredCustomerId: CustomerId | null
  },
  flow: Flow,
  amount: Money,
): Status {
  return {
    id: session.id,
    state: "ready",
    flow,
    provider_id: session.providerId,
    amount: majorNumber(amount),
    returned_amount: null,
    beyond_amount: null,
    currency: amount.currency,
    payer_amount: null,
    payer_currency: null,
    reference: null,
    url: null,
    client_secret: null,
    prompt: null,
    operator: null,
    phone_hint: null,
    reason: null,
    can_retry: false,
    can_cancel: false,
    expires_at: null,
    expires_in_seconds: null,
    order_id: session.registeredCustomerId === null ? null : session.orderId,
    checked_at: null,
    receipt_url: null,
  }
}

/** Of its last second, too, one is left: 0 says that it is over. */
function secondsLeft({ expiresAt, readAt }: Operation): number {
  return Math.max(0, Math.ceil((expiresAt.getTime() - readAt.getTime()) / 1_000))
}

/** A prompt that ended before the gateway said anything about it was never on a phone. */
function promptOf(operation: Operation, state: StatusState): Status["prompt"] {
  if (FLOWS[operation.flow].asks !== "phone") return null
  if (isKnownToGateway(operation)) return "sent"
  return state === "waiting_for_payer" ? "sending" : null
}

function returnedOf(operation: Operation, state: StatusState): number | null {
  if (state !== "paid") return null
  const { refundedMinor, amount } = operation
  const minor = refundedMinor + (takenBackOf(operation)?.minor ?? 0n)
  return minor === 0n ? null : majorNumber({ minor, currency: amount.currency })
}

function shownReason(operation: Operation, state: StatusState): EndReason | null {
  if (state === "under_review" || state === "paid") return null
  if (isReturnedUnrecorded(operation)) return "returned"
  const reason = standingReason(operation)
  return END_REASONS.find((known) => known === reason) ?? null
}

/** A new try is possible once the old source can take nothing, or can be taken over. */
function canRetry(operation: Operation, state: StatusState): boolean {
  if (hasFailedOnce(operation)) return !isOrderWindowOver(operation)
  if (state !== "failed" && state !== "expired") return false
  // `start` answers `order_closed` from here on.
  if (isOrderWindowOver(operation)) return false
  if (isReturnedUnrecorded(operation)) return true
  return (
    operation.sourceId === null ||
    operation.sourceStatus === "ACTIVE" ||
    operation.sourceStatus === "IDLE" ||
    operation.sourceStatus === "CANCELED"
  )
}

/**
 * The gateway said FAILED once, and nothing says otherwise. The next `start` asks it a second time
 * before it sends anything, so the shopper can be offered one now.
 */
function hasFailedOnce(operation: Operation): boolean {
  const isPaying = operation.sourceStatus === "PROCESSING" || operation.sourceStatus === "PAID"
  return failedLeftMs(operation) !== undefined && operation.closing === null && !isPaying
}

/**
 * The gateway decides once it is asked; this only says whether a cancel button is worth showing.
 */
function canCancel(operation: Operation, state: StatusState): boolean {
  const { closing, sourceStatus } = operation
  const isUnderWay = state === "waiting_for_payer" || state === "action_required"
  if (!isUnderWay || operation.state === "drafted" || hasFailedOnce(operation)) return false
  return closing === null && sourceStatus !== "PROCESSING"
}
