/**
 * The last reading before money can move. While the gateway was asked, the cart may have changed,
 * another payment for it may have begun or been found, or its order was closed. Nothing has been
 * sent by then.
 */
import { hasRunningStart, isNewer, isSessionFor, type Operation } from "../core/operation"
import { refusal, type Refusal } from "../core/refusal"
import { findDuplicateOfCollection, findLiveBeside } from "../ledger/find-operations"
import type { FlowDeps } from "../engine/deps"
import { endDraft } from "../engine/end-draft"
import type { StartContext } from "./context"
import { inProgress, orderClosed, refusalFor, underReview } from "./existing-payment"

/**
 * The caller holds the draft by lease; when it throws, the draft has ended, or is being closed.
 *
 * @throws Refusal `cart_changed`, `already_paid`, `under_review`, `payment_in_progress`,
 *   `order_closed`
 */
export async function assertUnchanged(
  deps: FlowDeps,
  context: StartContext,
  draft: Operation,
): Promise<void> {
  const session = await deps.medusa.payable(context.payable.id)
  // This is read last, so that it shows all that other workers have found.
  const beside = await refusalBeside(deps, draft)
  const { amount, payable } = context
  const wanted = { amount, providerId: payable.providerId }
  const isSame = session !== undefined && isSessionFor(wanted, session)
  // Another request may have paid or closed the order: a further payment would be too much.
  const isOpen = session?.hasPayment !== true && session?.isOrderCanceled !== true
  if (isSame && isOpen && !beside) return
  const ended = await endDraft(deps, context.gateway, draft, "canceled", context)
  if (ended?.sourceStatus === "PAID") throw inProgress(ended)
  if (session?.hasPayment) throw refusal("already_paid", {}, { payment: null })
  if (session?.isOrderCanceled) throw orderClosed(null)
  if (beside) throw beside
  throw refusal("cart_changed", {}, { payment: null })
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
  const { cartId, orderId, paymentCollectionId } = draft
  const duplicate = await findDuplicateOfCollection(deps.database, paymentCollectionId)
  if (duplicate) return underReview(duplicate)
  const others = await findLiveBeside(deps.database, { cartId, orderId, paymentCollectionId })
  const inTheWay = others.find(
    (other) => other.state !== "drafted" || (hasRunningStart(other) && isNewer(draft, other)),
  )
  return inTheWay && refusalFor(deps, inTheWay)
}
