/**
 * Decides what becomes of the payment that a payment collection already has, before a new one
 * begins. A live one with the same facts is given back (double click, second tab, refresh, replaced
 * session), a draft is continued, a hosted one for other facts is closed first. The sources of
 * ended payments are in `clear-ended.ts`. A new operation begins only when nothing can take money
 * any more.
 */
import { isOnlyMadeByAdmins } from "../core/flows"
import type { PaymentSessionId } from "../core/ids"
import { LIMITS } from "../core/limits"
import type { Message } from "../core/messages"
import { sameMoney } from "../core/money"
import {
  hasEnded,
  hasRunningStart,
  isLive,
  isMoneyMoving,
  isOrderWindowOver,
  isOwedToMedusa,
  isPage,
  isPush,
  type Operation,
  isUnderWay,
} from "../core/operation"
import { wasRecorded } from "../core/recorded"
import { refusal, type Refusal } from "../core/refusal"
import { markWaiting } from "../ledger/bring-forward"
import { claimOperation } from "../ledger/claim-due-operations"
import {
  findByCollection,
  findById,
  findBySession,
  findDuplicateOfCollection,
  findLiveBeside,
  findLiveOfCollection,
} from "../ledger/find-operations"
import { releaseOperation } from "../ledger/postpone-operation"
import { check } from "../engine/check"
import type { FlowDeps } from "../engine/deps"
import { endDraft } from "../engine/end-draft"
import { gatewayFor } from "../engine/gateway-for"
import { askLanded } from "../engine/landed-draft"
import { persist } from "../engine/persist"
import type { ShopperTime } from "../engine/shopper-time"
import { confirmFailed } from "./confirm-failed"
import { isTheirs, type StartContext, type StartRequest } from "./context"
import { currentStatus, isOutdated, statusFor } from "./read-status"
import { rebind } from "./rebind"
import { readyStatus, statusOf, withheld } from "./rules/status"
import type { Status } from "./schemas/status"

export type Existing =
  | { readonly kind: "answer"; readonly status: Status }
  | { readonly kind: "continue"; readonly draft: Operation }
  /** The live payment can be closed, and has to be, before anything new begins. */
  | { readonly kind: "replace"; readonly live: Operation }
  | { readonly kind: "free" }

/** @throws Refusal `already_paid`, `under_review`, `payment_in_progress`, `order_closed` */
export async function meetExisting(deps: FlowDeps, context: StartContext): Promise<Existing> {
  const { payable } = context
  const found = await findByCollection(deps.database, payable.paymentCollectionId)
  const shown = found && (await confirmFailed(deps, found, context))
  if (shown && wasRecorded(shown)) throw await refusalFor(deps, shown)
  // A payment of ours that is just being recorded in Medusa is answered below.
  if (payable.hasPayment && !(shown && isOwedToMedusa(shown))) {
    throw refusal("already_paid", {}, { payment: null })
  }
  if (shown?.state === "review" && !shown.isDuplicate) throw underReview(shown)
  const isOver = shown !== undefined && isOrderWindowOver(shown)
  if (payable.isOrderCanceled || (isOver && payable.orderId !== null)) {
    throw orderClosed(shown ? await statusNow(deps, shown) : null)
  }
  if (!shown || !isLive(shown)) await refuseBeside(deps, context)
  if (!shown) return { kind: "free" }
  if (!isLive(shown) || shown.state === "drafted") {
    // Money held as a duplicate bars a new payment once the other one has ended, or sent nothing.
    const duplicate = await findDuplicateOfCollection(deps.database, payable.paymentCollectionId)
    if (duplicate) throw underReview(duplicate)
  }
  if (!isLive(shown)) return { kind: "free" }
  if (isSamePayment(shown, context) && !isNearlyOver(shown)) return resume(deps, context, shown)
  const canClose = (shown.state === "drafted" && !hasRunningStart(shown)) || isOpenPage(shown)
  if (!canClose) throw await inProgressNow(deps, shown)
  return { kind: "replace", live: shown }
}

/**
 * Two requests at once can leave a cart, or an order, with two payment collections. The database
 * lets one payment live in each; the shopper is to pay once.
 */
async function refuseBeside(deps: FlowDeps, { payable }: StartContext): Promise<void> {
  const others = await findLiveBeside(deps.database, payable)
  // An idle draft has sent nothing, and its `start` checks for this payment before it sends.
  const inTheWay = others.find((other) => other.state !== "drafted" || hasRunningStart(other))
  if (inTheWay) throw await refusalFor(deps, inTheWay)
}

export async function refusalFor(
  deps: Pick<FlowDeps, "database" | "medusa">,
  live: Operation,
): Promise<Refusal> {
  if (live.state === "review") return underReview(live)
  if (!wasRecorded(live)) return inProgressNow(deps, live)
  return refusal("already_paid", {}, { payment: statusOf(live) })
}

/**
 * Whether an existing payment is the one asked for. A page that is being closed is never given
 * back.
 */
export function isSamePayment(operation: Operation, context: StartContext): boolean {
  // A link that an admin sends lives longer than the page that a shopper has open.
  if (isOnlyMadeByAdmins(context.flow) && operation.flow !== context.flow) return false
  return (
    operation.providerId === context.payable.providerId &&
    sameMoney(operation.amount, context.amount) &&
    !(isOpenPage(operation) && operation.closing !== null) &&
    !(operation.state === "drafted" && isSpentDraft(operation, context))
  )
}

/** Whether the payment's prompt is on its way or on the phone. */
export function isOpenPush(operation: Operation): boolean {
  return isPush(operation) && isUnderWay(operation)
}

/** Whether the address of the payment's page is handed out. */
function isOpenPage(operation: Operation): boolean {
  return isPage(operation) && isUnderWay(operation)
}

/**
 * Whether a draft can't be continued: it is to be closed, it has another flow, another account
 * serves its currency now, or its source has another fee bearer or was made with other credentials.
 */
function isSpentDraft(operation: Operation, context: StartContext): boolean {
  const isOtherBearer = operation.feeBearer !== context.feeBearer
  const isOtherFlow = operation.flow !== context.flow
  const isOtherCredential = operation.credentialId !== context.credentialId
  const isOtherSource = operation.sourceId !== null && (isOtherBearer || isOtherCredential)
  const isOtherAccount = operation.accountId !== context.account.id
  return operation.closing !== null || isOtherAccount || isOtherSource || isOtherFlow
}

/** Whether a draft's source would end before the shopper has found the phone. */
function isNearlyOver(operation: Operation): boolean {
  const leftMs = operation.expiresAt.getTime() - operation.readAt.getTime()
  return (
    operation.state === "drafted" &&
    !hasRunningStart(operation) &&
    operation.sourceId !== null &&
    leftMs < LIMITS.pushWindowMs / 3
  )
}

/** The same payment is live: the shopper gets it back, bound to the session that asks. */
export async function resume(
  deps: FlowDeps,
  context: StartContext,
  live: Operation,
): Promise<Existing> {
  const bound = await rebind(deps, live, context.payable.id)
  if (bound.state === "drafted") {
    if (hasRunningStart(bound)) return answer(deps, bound)
    const draft = await claimOperation(deps.database, bound.id, LIMITS.startLeaseMs)
    return draft?.state === "drafted"
      ? { kind: "continue", draft }
      : answer(deps, (await findById(deps.database, bound.id)) ?? bound)
  }
  await markWaiting(deps.database, [bound.id], 0)
  return answer(deps, bound)
}

async function answer(deps: FlowDeps, operation: Operation): Promise<Existing> {
  return { kind: "answer", status: await answerExisting(deps, operation) }
}

/**
 * STATUS of the live payment, for the shopper who starts it again. A page for another total is not
 * given back: the shopper is told that the cart changed, and the page is closed.
 *
 * @throws Refusal `cart_changed`
 */
async function answerExisting(
  deps: FlowDeps,
  operation: Operation,
  sessionId?: PaymentSessionId,
): Promise<Status> {
  const status = await currentStatus(deps, operation, sessionId)
  const isForOther = status.amount === null && isOpenPage(operation)
  if (isForOther && !isMoneyMoving(operation)) throw refusal("cart_changed", {}, { payment: null })
  return status
}

/**
 * Closes the live payment before one for another total, or by another way to pay, may begin.
 *
 * @throws Refusal `payment_in_progress`, `gateway_unavailable`
 */
export async function replace(
  deps: FlowDeps,
  context: StartContext,
  live: Operation,
): Promise<void> {
  await closeLive(deps, live, { code: "payment_changed" }, context)
  const still = await findLiveOfCollection(deps.database, context.payable.paymentCollectionId)
  if (still) throw await inProgressNow(deps, still)
}

/**
 * Ends an idle draft, or closes an open page, or closes the source of a prompt if the caller has
 * read it as a prompt already. The payment may still be live after it.
 *
 * @returns the operation as it was claimed
 * @throws Refusal `payment_in_progress` where it has moved on since it was read,
 *   `gateway_unavailable`
 */
export async function closeLive(
  deps: FlowDeps,
  read: Operation,
  cause: Message,
  shopper: ShopperTime,
): Promise<Operation> {
  const held = (await claim(deps, read)) ?? (await claimLater(deps, read))
  if (!held) throw await inProgressNow(deps, read)
  // A draft that became a prompt since it was read is another tab's payment.
  const isPrompt = isOpenPush(read) && isOpenPush(held)
  if (held.state !== "drafted" && !isOpenPage(held) && !isPrompt) {
    await releaseOperation(deps.database, held)
    if (hasEnded(held)) return held
    throw await inProgressNow(deps, held)
  }
  const gateway = await gatewayFor(deps, held)
  const { medusa } = deps
  if (held.state === "drafted") {
    const landed = gateway && (await askLanded(deps, gateway, held, shopper))
    if (gateway && landed?.kind === "landed") {
      await check(deps, gateway, landed.operation, { medusa, shopper })
    } else if (landed?.kind !== "unanswered") {
      await endDraft(deps, gateway, held, "canceled", shopper)
    } else {
      await releaseOperation(deps.database, held)
      throw refusal("gateway_unavailable")
    }
    return held
  }
  if (!gateway) {
    await releaseOperation(deps.database, held)
    throw refusal("gateway_unavailable")
  }
  const closing = await persist(deps.database, held, {
    event: { note: "closing" },
    ...cause,
    changes: { closing: "canceled" },
  })
  if (closing) await check(deps, gateway, closing, { medusa, shopper })
  return held
}

const claim = (deps: FlowDeps, { id }: Operation) =>
  claimOperation(deps.database, id, LIMITS.leaseMs)

/**
 * A worker's check or another tab's cancel holds the lease only for moments: it is tried once more.
 */
async function claimLater(deps: FlowDeps, operation: Operation) {
  await deps.clock.sleep(LIMITS.startHeldMs)
  return claim(deps, operation)
}

/**
 * Medusa has replaced the session. A live payment is given back; nothing new begins on the old one.
 */
export async function answerReplaced(deps: FlowDeps, request: StartRequest): Promise<Status> {
  const operation = await findBySession(deps.database, request.sessionId)
  const owner = operation && (await deps.medusa.registeredCustomer(operation))
  if (!operation || owner === undefined || !isTheirs(owner, request.customerId)) {
    throw refusal("session_not_found")
  }
  if (wasRecorded(operation)) {
    const payment = statusFor(deps, operation, request.sessionId)
    throw refusal("already_paid", {}, { payment })
  }
  if (operation.state === "review") throw underReview(operation)
  const isUnderWay = isLive(operation) && operation.state !== "drafted"
  if (!isUnderWay && !hasRunningStart(operation)) throw refusal("session_not_found")
  return answerExisting(deps, operation, request.sessionId)
}

export function underReview(operation: Operation): Refusal {
  return refusal("under_review.shopper", {}, { payment: statusOf(operation) })
}

export function orderClosed(payment: Status | null): Refusal {
  return refusal("order_closed", {}, { payment })
}

export function inProgress(operation: Operation, payment = statusOf(operation)): Refusal {
  return refusal("payment_in_progress.shopper", {}, { payment })
}

/** As {@link inProgress}, but without address and secret once Medusa asks for another total. */
export async function inProgressNow(
  deps: Pick<FlowDeps, "database" | "medusa">,
  operation: Operation,
): Promise<Refusal> {
  return inProgress(operation, await statusNow(deps, operation))
}

async function statusNow(
  deps: Pick<FlowDeps, "database" | "medusa">,
  operation: Operation,
): Promise<Status> {
  const status = statusOf(operation)
  return (await isOutdated(deps, operation)) ? withheld(status) : status
}

/** STATUS of a payment session for which nothing is under way. */
export function readyOf({ payable, flow, amount }: StartContext): Status {
  return readyStatus(payable, flow, amount)
}
