/**
 * STATUS of a payment session, from the ledger alone: reading it never asks the gateway, so no
 * shopper can use up the rate limit. Reading also marks that a shopper is on screen, which makes
 * the job check sooner.
 */
import type { CustomerId, PaymentCollectionId, PaymentSessionId } from "../core/ids"
import { LIMITS } from "../core/limits"
import { moneyFromMajor, parseCurrency, type Money } from "../core/money"
import { ofMedusa, isLive, isMoneyMoving, isSessionFor, type Operation } from "../core/operation"
import { wasRecorded } from "../core/recorded"
import { flowOfProvider } from "../core/flows"
import { refusal } from "../core/refusal"
import { failedOnScreenInMs } from "../core/schedule"
import { bringFailedForward, checkAfterChange, markWaiting } from "../ledger/bring-forward"
import { findByCollection, findBySession } from "../ledger/find-operations"
import type { FlowDeps } from "../engine/deps"
import type { MedusaPayable } from "../engine/medusa-port"
import { isTheirs } from "./context"
import { shownReceiptUrl } from "./receipt-url"
import { openCardSecret } from "../engine/card-secret"
import { fitOf, isForOtherTotal } from "../engine/open-amount"
import { readyStatus, statusOf, withheld } from "./rules/status"
import type { Status } from "./schemas/status"

export type StatusRequest = {
  readonly sessionId: PaymentSessionId
  readonly customerId?: CustomerId | undefined
}

/**
 * What a payment session shows: its operation, found by an old session id too, or only the session.
 */
export type Shown = {
  readonly operation: Operation | undefined
  readonly status: Status
  readonly paymentCollectionId: PaymentCollectionId
  /** Medusa's payment session; undefined if Medusa has replaced it. */
  readonly payable: MedusaPayable | undefined
  /** Whether who reads it is the registered customer whose payment it is. */
  readonly isLoggedIn: boolean
}

/** @throws Refusal `session_not_found`, also for a session of another provider or customer */
export async function readStatus(deps: FlowDeps, request: StatusRequest): Promise<Shown> {
  const [bound, own] = await Promise.all([
    findBySession(deps.database, request.sessionId),
    deps.medusa.payable(request.sessionId),
  ])
  const owner = own
    ? own.registeredCustomerId
    : bound && (await deps.medusa.registeredCustomer(bound))
  if (owner === undefined || !isTheirs(owner, request.customerId)) {
    throw refusal("session_not_found")
  }
  const isLoggedIn = owner !== null
  const operation = bound ?? (own && (await unbound(deps, own)))
  if (operation) {
    await checkSooner(deps, operation)
    const { paymentCollectionId } = ofMedusa(operation)
    const status = await currentStatus(deps, operation, request.sessionId, isLoggedIn)
    return { operation, status, paymentCollectionId, payable: own, isLoggedIn }
  }
  if (!own) throw refusal("session_not_found")
  const { paymentCollectionId } = own
  const status = await statusOfUnstarted(deps, own)
  return { operation: undefined, status, paymentCollectionId, payable: own, isLoggedIn }
}

/** STATUS for the shopper who pays: only this form holds the secret that authenticates a card. */
export function statusFor(
  { box }: Pick<FlowDeps, "box">,
  operation: Operation,
  sessionId?: PaymentSessionId,
  isLoggedIn = false,
): Status {
  const status = statusOf(operation, sessionId, isLoggedIn)
  if (status.state !== "action_required") return status
  const client_secret = openCardSecret(box, operation)
  // The secret was sealed with a key that is gone: the browser can do nothing, and the gateway ends
  // the payment.
  return client_secret === undefined
    ? { ...status, state: "waiting_for_payer" }
    : { ...status, client_secret }
}

/**
 * As {@link statusFor}, with the receipt's link once it is paid, but without address and secret once
 * Medusa asks for another total.
 */
export async function currentStatus(
  deps: Pick<FlowDeps, "box" | "database" | "medusa" | "ids" | "settings">,
  operation: Operation,
  sessionId?: PaymentSessionId,
  isLoggedIn = false,
): Promise<Status> {
  const status = statusFor(deps, operation, sessionId, isLoggedIn)
  if (status.state === "paid") {
    return { ...status, receipt_url: await shownReceiptUrl(deps, operation, isLoggedIn) }
  }
  return (await isOutdated(deps, operation)) ? withheld(status) : status
}

/**
 * Whether a payment can still be paid though Medusa asks for something else now. Its open page is
 * closed soon.
 */
export async function isOutdated(
  deps: Pick<FlowDeps, "database" | "medusa">,
  operation: Operation,
): Promise<boolean> {
  const { state, id } = operation
  if (state !== "drafted" && state !== "submitted" && state !== "in_flight") return false
  if (!(await isForOtherTotal(deps, operation))) return false
  if (state !== "drafted") await checkAfterChange(deps.database, id)
  return true
}

/** The row is written only if no early check is planned yet: a page asks every few seconds. */
async function checkSooner({ database }: FlowDeps, operation: Operation): Promise<void> {
  const { id, nextCheckAt, readAt } = operation
  const inMs = failedOnScreenInMs(operation)
  if (inMs !== undefined) {
    const slackMs = LIMITS.checkEveryMs
    const isPlanned =
      nextCheckAt !== null && nextCheckAt.getTime() <= readAt.getTime() + inMs + slackMs
    if (!isPlanned) await bringFailedForward(database, id, { inMs, slackMs })
  } else if (!isKnownToWait(operation)) {
    await markWaiting(database, [id])
  }
}

function isKnownToWait({ waiting, waitingAt, readAt, nextCheckAt }: Operation): boolean {
  if (nextCheckAt === null) return true
  return (
    waiting &&
    waitingAt !== null &&
    readAt.getTime() - waitingAt.getTime() < LIMITS.waitingRefreshMs
  )
}

/**
 * A session that replaced another one shows the operation of its payment collection, if that still
 * counts. A page for an old total that no shopper is paying on does not count: its address would
 * lead to the old total.
 */
async function unbound(deps: FlowDeps, payable: MedusaPayable): Promise<Operation | undefined> {
  if (!flowOfProvider(payable.providerId)) return undefined
  const shown = await findByCollection(deps.database, payable.paymentCollectionId)
  return shown && isShownFor(shown, payable) ? shown : undefined
}

/** Whether a session without an operation of its own shows the operation of its collection. */
export function isShownFor(shown: Operation, payable: MedusaPayable): boolean {
  const isSame = isLive(shown) && shown.closing === null && isSessionFor(shown, payable)
  return isSame || wasRecorded(shown) || isMoneyMoving(shown)
}

/** As {@link statusOfSession}, without the amount where Medusa asks for another one by now. */
export async function statusOfUnstarted(
  { medusa }: Pick<FlowDeps, "medusa">,
  payable: MedusaPayable,
): Promise<Status> {
  const status = statusOfSession(payable)
  const { paymentCollectionId, orderId, dueAmount = payable.amount } = payable
  const amount = moneyOf(payable)
  const order = orderId === null ? null : await medusa.openOrder(orderId)
  const asked = { amount: dueAmount, currency: payable.currency, order }
  const isAsked = amount && fitOf({ amount, paymentCollectionId }, asked) === "fits"
  return isAsked ? status : withheld(status)
}

function moneyOf({ amount, currency: code }: MedusaPayable): Money | undefined {
  const currency = parseCurrency(code)
  return currency && moneyFromMajor(amount, currency)
}

/** @throws Refusal `session_not_found`, for a session of another provider */
export function statusOfSession(payable: MedusaPayable): Status {
  const flow = flowOfProvider(payable.providerId)
  const amount = moneyOf(payable)
  if (!flow || !amount) throw refusal("session_not_found")
  return readyStatus(payable, flow, amount)
}
