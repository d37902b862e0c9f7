/**
 * The last reading before money can move. While the gateway was asked, the cart may have changed,
 * another payment for it may have begun or been found, or its order was closed. Nothing has been
 * sent by then.
 */
import { LIMITS } from "../core/limits"
import { ofMedusa, hasRunningStart, isNewer, isSessionFor, type Operation } from "../core/operation"
import { refusal, type Refusal } from "../core/refusal"
import { findDuplicateOfCollection, findLiveBeside } from "../ledger/find-operations"
import type { FlowDeps } from "../engine/deps"
import { endDraft } from "../engine/end-draft"
import type { StartContext } from "./context"
import { inProgress, orderClosed, refusalFor, underReview } from "./existing-payment"
import { whyUnfit } from "./refuse-unfit"
import { isCartChanging } from "./sql/cart-changes"

/**
 * The caller holds the draft by lease; when it throws, the draft has ended, or is being closed.
 *
 * @throws Refusal `cart_changed`, `nothing_to_pay`, `already_paid`, `under_review`,
 *   `payment_in_progress`, `order_closed`
 */
export async function assertUnchanged(
  deps: FlowDeps,
  context: StartContext,
  draft: Operation,
): Promise<void> {
  const unfit = (await changesEnded(deps, draft))
    ? await whyNotAsked(deps, context)
    : refusal("cart_changed", {}, { payment: null })
  // This is read last, so that it shows all that other workers have found.
  const beside = await refusalBeside(deps, draft)
  const refused = unfit ?? beside
  if (!refused) return
  const ended = await endDraft(deps, context.gateway, draft, "canceled", context)
  if (ended?.sourceStatus === "PAID") throw inProgress(ended)
  throw refused
}

/**
 * Waits for changes of the purchase that the guard let through before the draft was there; it lets no
 * other through since. One that lasts too long ends the start.
 */
async function changesEnded(
  { database, clock }: Pick<FlowDeps, "database" | "clock">,
  draft: Operation,
): Promise<boolean> {
  const { cartId, paymentCollectionId } = ofMedusa(draft)
  const changed = [...(cartId === null ? [] : [cartId]), paymentCollectionId]
  const untilMs = clock.monotonicMs() + LIMITS.cartChangeAwaitedMs
  while (await isCartChanging(database, changed)) {
    if (clock.monotonicMs() >= untilMs) return false
    await clock.sleep(LIMITS.lockRetryMs)
  }
  return true
}

/** Whether Medusa asks for something else by now, or another request has paid or closed it. */
async function whyNotAsked(
  deps: Pick<FlowDeps, "medusa" | "logger">,
  context: StartContext,
): Promise<Refusal | undefined> {
  const { amount, payable } = context
  // An edit changes the order first, so what the payment collection asks for is read after it.
  const known = payable.orderId && (await deps.medusa.openOrder(payable.orderId))
  const session = await deps.medusa.payable(payable.id)
  if (session?.hasPayment) return refusal("already_paid", {}, { payment: null })
  if (session?.isOrderCanceled) return orderClosed(null)
  const wanted = { amount, providerId: payable.providerId }
  if (session === undefined || !isSessionFor(wanted, session)) {
    return refusal("cart_changed", {}, { payment: null })
  }
  if (session.orderId !== null) {
    const order = known || (await deps.medusa.openOrder(session.orderId))
    const due = session.dueAmount ?? session.amount
    return whyUnfit(deps, context, { ...session, amount: due, order })
  }
  // The shop's code may change a cart and leave its session as it was.
  const total = session.cartId === null ? undefined : await deps.medusa.cartTotal(session.cartId)
  return whyUnfit(deps, context, { ...session, amount: total ?? "", order: null })
}

/**
 * Refuses a draft for what came beside it since its `start` read: late money of an earlier try, or
 * a payment of the cart's other payment collection. Of two drafts at work at once the older goes
 * on.
 */
async function refusalBeside(
  deps: Pick<FlowDeps, "database" | "medusa">,
  draft: Operation,
): Promise<Refusal | undefined> {
  const { cartId, orderId, paymentCollectionId } = ofMedusa(draft)
  const duplicate = await findDuplicateOfCollection(deps.database, paymentCollectionId)
  if (duplicate) return underReview(duplicate)
  const others = await findLiveBeside(deps.database, { cartId, orderId, paymentCollectionId })
  const inTheWay = others.find(
    (other) => other.state !== "drafted" || (hasRunningStart(other) && isNewer(draft, other)),
  )
  return inTheWay && refusalFor(deps, inTheWay)
}
