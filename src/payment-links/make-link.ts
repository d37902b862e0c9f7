/**
 * An admin makes a payment link for what an order still asks for: Medusa's own payment collection
 * and session for that amount, then `start` as for a page, document first.
 *
 * An order never has two links: a live one for the same amount is given back, and one for another
 * amount is first closed and read as `CANCELED`. The ledger lets one payment of the order begin.
 */
import { isPage, ofMedusa, type Operation, isUnderWay } from "../core/operation"
import { providerOf } from "../core/flows"
import { Refusal, type RefusalCode, type RefusalKey } from "../core/refusal"
import type { FlowDeps } from "../engine/deps"
import { fitOf } from "../engine/open-amount"
import { startPayment } from "../checkout/start-payment"
import type { AdminId, OrderId, PaymentSessionId } from "../core/ids"
import { readOpenOrder, whyNotAsked, type OpenOrder } from "./open-order"
import { findLinkOfOrder } from "./sql/find-links"

export type LinkRequest = {
  readonly orderId: OrderId
  readonly adminId: AdminId
  /** The payer's number; default: the number of the order's shipping address. */
  readonly phone?: string | undefined
}

/**
 * @throws Refusal `order_not_found`, `order_closed`, `order_is_draft`, `nothing_to_pay`,
 *   `other_payment_open`, `currency_not_served`, `not_configured`, `payment_in_progress`,
 *   `under_review`, `phone_required`, `invalid_phone`, `gateway_refused`, `gateway_unavailable`
 */
export async function makePaymentLink(deps: FlowDeps, request: LinkRequest): Promise<void> {
  const found = await readOpenOrder(deps, request.orderId)
  if (await hasLiveLink(deps, found)) return
  const whyNot = await whyNotAsked(deps, found)
  if (whyNot) throw whyNot
  try {
    await startFor(deps, request, "hosted")
  } catch (error) {
    // Another admin was faster, so there is a link already.
    if (error instanceof Refusal && (await hasLiveLink(deps, found))) return
    throw error
  }
}

/**
 * An admin asks a customer who is at the counter, or on the telephone. A prompt goes to the
 * customer's mobile money wallet, as from the shop's own page. An open link of the order is closed
 * first.
 *
 * @throws Refusal as `makePaymentLink`, and `operator_unknown`; never `phone_required`
 */
export async function askOnPhone(
  deps: FlowDeps,
  request: LinkRequest & { readonly phone: string },
): Promise<void> {
  const whyNot = await whyNotAsked(deps, await readOpenOrder(deps, request.orderId))
  if (whyNot) throw whyNot
  await startFor(deps, request, "push")
}

/**
 * Starts a payment as a shopper would, for what the order asks for now.
 *
 * @throws Refusal in the words for an admin
 */
async function startFor(
  deps: FlowDeps,
  { orderId, adminId, phone }: LinkRequest,
  flow: "hosted" | "push",
): Promise<void> {
  const sessionId = await sessionFor(deps, orderId, providerOf(flow).providerId)
  try {
    await startPayment(deps, { sessionId, adminId, phone })
  } catch (error) {
    throw error instanceof Refusal ? forAdmin(error, flow) : error
  }
}

/** Medusa makes no session for an order that was paid, cancelled or deleted since it was read. */
async function sessionFor(
  deps: FlowDeps,
  orderId: OrderId,
  providerId: string,
): Promise<PaymentSessionId> {
  try {
    return await deps.medusa.openSession(orderId, providerId)
  } catch (error) {
    const whyNot = await whyNotAsked(deps, await readOpenOrder(deps, orderId))
    throw whyNot ?? error
  }
}

/** Whether the order has a link for the amount that is open now, which is not being closed. */
async function hasLiveLink(deps: FlowDeps, { order, open }: OpenOrder): Promise<boolean> {
  const link = open && (await findLinkOfOrder(deps.database, order.id))
  if (!link || !isLiveLink(link)) return false
  return (
    fitOf(ofMedusa(link), { amount: order.openAmount, currency: order.currency, order }) === "fits"
  )
}

/** Whether the link can be paid: its address is handed out, and it is not being closed. */
export function isLiveLink(operation: Operation): boolean {
  const { closing, hostedUrl } = operation
  return isPage(operation) && isUnderWay(operation) && closing === null && hostedUrl !== null
}

/** The refusals of `start`, in the words for an admin and an order. */
const FOR_ADMIN: Partial<Record<RefusalCode, RefusalKey>> = {
  session_not_found: "session_not_found.replaced",
  payment_in_progress: "payment_in_progress",
  under_review: "under_review",
  phone_required: "phone_required.order",
  not_configured: "not_configured.link",
  gateway_refused: "gateway_refused",
}

export function forAdmin(refused: Refusal, flow: "hosted" | "push"): Refusal {
  const isPrompt = flow === "push" && refused.code === "not_configured"
  const key = isPrompt ? "not_configured.prompt" : FOR_ADMIN[refused.code]
  return key ? new Refusal(key) : refused
}
