/**
 * The last reading before money can move. While the gateway was asked the cart may have changed, another
 * way of paying it may have begun or been found, or its order was closed. Nothing was sent by then.
 */
import { moneyFromMajor } from "../../core/money"
import type { Operation } from "../../core/operation"
import { Refusal } from "../../core/refusal"
import type { FlowDeps } from "../deps"
import { endDraft } from "../expire-draft"
import type { StartContext } from "./context"
import { inProgress, orderClosed, refusalBeside } from "./standing"

/**
 * The caller holds the draft by lease; when it throws, the draft has ended, or is being closed.
 *
 * @throws Refusal `cart_changed`, `already_paid`, `under_review`, `payment_in_progress`, `order_closed`
 */
export async function assertUnchanged(
  deps: FlowDeps,
  context: StartContext,
  draft: Operation,
): Promise<void> {
  const session = await deps.host.payable(context.payable.id)
  // Last: what other workers have found by now counts most.
  const beside = await refusalBeside(deps, draft)
  const amount = session && moneyFromMajor(session.amount, context.amount.currency)
  const isSame =
    session?.currency.toUpperCase() === context.amount.currency &&
    amount?.minor === context.amount.minor &&
    session.providerId === context.payable.providerId
  // Paid or closed meanwhile by somebody else: what we took now would be too much.
  const isOpen = session?.hasPayment !== true && session?.isOrderCanceled !== true
  if (isSame && isOpen && !beside) return
  const ended = await endDraft(deps, context.gateway, draft, "canceled", context)
  if (ended?.sourceStatus === "PAID") throw inProgress(ended)
  if (session?.hasPayment) {
    throw new Refusal("already_paid", "This is paid already.", { payment: null })
  }
  if (session?.isOrderCanceled) throw orderClosed(null)
  if (beside) throw beside
  throw new Refusal(
    "cart_changed",
    "The cart has changed meanwhile. Nothing was charged. Look at the new total and pay again.",
    { payment: null },
  )
}
