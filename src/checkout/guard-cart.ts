/**
 * Keeps a cart as it is while money for it may move. Middleware asks here before a store route
 * changes what is being paid. It is no workflow hook, because an application has only one of each.
 *
 * A hosted payment that no shopper has begun to pay does not block the change. If Medusa only makes
 * the same session again, the operation is bound to it. If the total or the way to pay changes, the
 * job or the next `start` closes the old source, which then can't be paid any more.
 */
import { isMoneyMoving, type Operation, type ShownSession } from "../core/operation"
import { refusal } from "../core/refusal"
import { checkAfterChange } from "../ledger/bring-forward"
import { findHoldingCart, findHoldingCollection } from "../ledger/find-operations"
import type { FlowDeps } from "../engine/deps"
import { isTheirs } from "./context"
import { inProgressNow, underReview } from "./existing-payment"
import { followSessions } from "./rebind"

export type Guarded = { readonly cartId: string } | { readonly paymentCollectionId: string }

/**
 * @returns the operation whose payment the change may touch, for {@link afterChange}
 * @throws Refusal `payment_in_progress`, `under_review`; the STATUS of a registered customer's
 *   payment is for that customer alone, any other gets null in its place
 */
export async function guardCart(
  deps: Pick<FlowDeps, "database" | "host">,
  guarded: Guarded,
  customerId: string | undefined,
): Promise<Operation | undefined> {
  const existing =
    "cartId" in guarded
      ? await findHoldingCart(deps.database, guarded.cartId)
      : await findHoldingCollection(deps.database, guarded.paymentCollectionId)
  if (!existing || !isMoneyMoving(existing)) return existing
  const owner = await deps.host.registeredCustomer(existing)
  if (!isTheirs(owner, customerId)) {
    const isInReview = existing.state === "review"
    const key = isInReview ? "under_review.shopper" : "payment_in_progress.shopper"
    throw refusal(key, {}, { payment: null })
  }
  if (existing.state === "review") throw underReview(existing)
  throw await inProgressNow(deps, existing)
}

/**
 * The change was made, or may still be made. An open payment page for an old total is checked, and
 * closed, at once. A session that replaced another one belongs to the payment from now on.
 *
 * @param shown the payment sessions in Medusa's answer
 */
export async function afterChange(
  deps: Pick<FlowDeps, "database" | "host">,
  live: Operation,
  shown: readonly ShownSession[],
): Promise<void> {
  const isStillFor = await followSessions(deps, live, shown)
  if (!isStillFor) await checkAfterChange(deps.database, live.id)
}
