/**
 * An admin takes back a payment link. Its source is cancelled at the gateway, and the link has
 * ended only once the source reads `CANCELED`. A payer who was faster has paid: that money is
 * settled as without the cancel. If the gateway is silent, the job closes the source later.
 */
import type { AdminId, OrderId } from "../core/ids"
import { hasEnded, hasRunningStart, isLive, type Operation } from "../core/operation"
import { wasRecorded } from "../core/recorded"
import { refusal, Refusal } from "../core/refusal"
import { closeLive } from "../checkout/existing-payment"
import { showOutcome } from "../checkout/show-outcome"
import type { FlowDeps } from "../engine/deps"
import { shopperTime } from "../engine/shopper-time"
import { findById } from "../ledger/find-operations"
import { forAdmin } from "./make-link"
import { readOpenOrder } from "./open-order"
import { findLinkOfOrder } from "./sql/find-links"

/**
 * What became of the link is read afterwards: it may still be closing, or paid. A link that has
 * ended stays as it is.
 *
 * @throws Refusal `order_not_found`, `link_closed` where the order never had a link,
 *   `already_paid`, `under_review`, `payment_in_progress`, `gateway_unavailable`
 */
export async function cancelPaymentLink(
  deps: FlowDeps,
  { orderId, adminId }: { readonly orderId: OrderId; readonly adminId: AdminId },
): Promise<void> {
  await readOpenOrder(deps, orderId)
  const link = await findLinkOfOrder(deps.database, orderId)
  if (!link) throw refusal("link_closed")
  refusePaid(link)
  if (!isLive(link)) return
  const cause = { code: "admin_canceled", facts: { by: adminId } } as const
  try {
    const held = await closeLive(deps, link, cause, shopperTime(deps.clock))
    const after = (await findById(deps.database, held.id)) ?? held
    if (hasEnded(after)) await showOutcome(deps, after)
  } catch (error) {
    throw error instanceof Refusal ? forAdmin(error, "hosted") : error
  }
}

function refusePaid(link: Operation): void {
  if (link.state === "review") throw refusal("under_review")
  if (wasRecorded(link)) throw refusal("already_paid")
  if (link.state === "completed" && link.returnedAt === null) throw refusal("already_paid")
  if (link.state === "drafted" && hasRunningStart(link)) throw refusal("payment_in_progress")
}
