/**
 * The last reading before money can move. While the gateway was asked, the cart may have changed,
 * another payment for it may have begun or been found, or its order was closed. Nothing has been
 * sent by then.
 */
import { isSessionFor, type Operation } from "../core/operation"
import { refusal } from "../core/refusal"
import type { FlowDeps } from "../engine/deps"
import { endDraft } from "../engine/end-draft"
import type { StartContext } from "./context"
import { inProgress, orderClosed, refusalBeside } from "./existing-payment"

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
  const session = await deps.host.payable(context.payable.id)
  // This is read last: what other workers have found by now counts most.
  const beside = await refusalBeside(deps, draft)
  const { amount, payable } = context
  const wanted = { amount, providerId: payable.providerId }
  const isSame = session !== undefined && isSessionFor(wanted, session)
  // Another request may have paid or closed it meanwhile: what we took now would be too much.
  const isOpen = session?.hasPayment !== true && session?.isOrderCanceled !== true
  if (isSame && isOpen && !beside) return
  const ended = await endDraft(deps, context.gateway, draft, "canceled", context)
  if (ended?.sourceStatus === "PAID") throw inProgress(ended)
  if (session?.hasPayment) throw refusal("already_paid", {}, { payment: null })
  if (session?.isOrderCanceled) throw orderClosed(null)
  if (beside) throw beside
  throw refusal("cart_changed", {}, { payment: null })
}
