/**
 * Keeps a cart as it is while money for it may move. Middleware asks here before a store route
 * changes what is being paid. It is no workflow hook, because an application has only one of each.
 *
 * A hosted payment that no shopper has begun to pay does not block the change. If Medusa only makes
 * the same session again, the operation is bound to it. If the total or the way to pay changes, the
 * job or the next `start` closes the old source, which then can't be paid any more.
 */
import type { CartId, CustomerId, PaymentCollectionId } from "../core/ids"
import { isMoneyMoving, type Operation, type ShownSession } from "../core/operation"
import { refusal } from "../core/refusal"
import { checkAfterChange } from "../ledger/bring-forward"
import { findHoldingCart, findHoldingCollection } from "../ledger/find-operations"
import type { FlowDeps } from "../engine/deps"
import { shopperTime } from "../engine/shopper-time"
import { confirmFailed } from "./confirm-failed"
import { isTheirs } from "./context"
import { inProgressNow, underReview } from "./existing-payment"
import { followSessions } from "./rebind"
import { showOutcome } from "./show-outcome"
import { beginCartChange, endCartChange } from "./sql/cart-changes"

export type Guarded =
  { readonly cartId: CartId } | { readonly paymentCollectionId: PaymentCollectionId }

/** A change that the guard lets through. */
export type Passed = {
  /** The operation whose payment the change may touch, for {@link afterChange}. */
  readonly live: Operation | undefined
  /** To be called once Medusa has made the change, or has refused it. */
  ended(): Promise<void>
}

/**
 * As {@link guardCart}, for a change of a cart or its payment sessions: noted first, so that a
 * `start` that begins meanwhile waits for it. Else a prompt could go out for a session that Medusa is
 * replacing by another provider's.
 */
export async function passChange(
  deps: FlowDeps,
  guarded: Guarded,
  customerId: CustomerId | undefined,
): Promise<Passed> {
  const { database, worker } = deps
  const changed = "cartId" in guarded ? guarded.cartId : guarded.paymentCollectionId
  const token = await beginCartChange(database, changed, worker)
  const ended = () => endCartChange(database, token)
  try {
    return { live: await guardCart(deps, guarded, customerId), ended }
  } catch (error) {
    await ended()
    throw error
  }
}

/**
 * @returns the operation whose payment the change may touch, for {@link afterChange}
 * @throws Refusal `payment_in_progress`, `under_review`; the STATUS of a registered customer's
 *   payment is for that customer alone, any other gets null in its place
 */
export async function guardCart(
  deps: FlowDeps,
  guarded: Guarded,
  customerId: CustomerId | undefined,
): Promise<Operation | undefined> {
  const existing =
    "cartId" in guarded
      ? await findHoldingCart(deps.database, guarded.cartId)
      : await findHoldingCollection(deps.database, guarded.paymentCollectionId)
  if (!existing || !isMoneyMoving(existing)) return existing
  const owner = await deps.medusa.registeredCustomer(existing)
  if (!isTheirs(owner, customerId)) {
    const isInReview = existing.state === "review"
    const key = isInReview ? "under_review.shopper" : "payment_in_progress.shopper"
    throw refusal(key, {}, { payment: null })
  }
  const now = await confirmFailed(deps, existing, shopperTime(deps.clock))
  if (!isMoneyMoving(now)) {
    await showOutcome(deps, now)
    return now
  }
  if (now.state === "review") throw underReview(now)
  throw await inProgressNow(deps, now)
}

/**
 * Follows a change of the cart that Medusa made, or may still make. An open payment page for an old
 * total is checked, and closed, at once. A session that replaced another one belongs to the payment
 * from now on.
 *
 * @param shown the payment sessions in Medusa's answer
 */
export async function afterChange(
  deps: Pick<FlowDeps, "database" | "medusa">,
  live: Operation,
  shown: readonly ShownSession[],
): Promise<void> {
  const isStillFor = await followSessions(deps, live, shown)
  if (!isStillFor) await checkAfterChange(deps.database, live.id)
}
