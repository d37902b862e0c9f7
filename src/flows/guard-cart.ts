/**
 * Keeps a cart as it is while money for it may move. Middleware asks here before a store route changes
 * what is being paid; no workflow hook is used, because there is one of each in the whole application.
 *
 * A hosted payment that nobody has begun to pay is no reason to refuse: the change passes, and the job
 * and the next `start` close the old source, which then can't be paid any more.
 */
import { isMoneyMoving, type Operation } from "../core/operation"
import { Refusal } from "../core/refusal"
import { statusOf } from "../core/status"
import { bringForward } from "../ledger/bring-forward"
import { findLiveOfCart, findLiveOfCollection } from "../ledger/find-operations"
import type { FlowDeps } from "./deps"
import { inProgress } from "./start/standing"

export type Guarded = { readonly cartId: string } | { readonly paymentCollectionId: string }

/**
 * @returns the live operation whose payment the change may touch, for {@link afterChange}
 * @throws Refusal `payment_in_progress`, `under_review`
 */
export async function guardCart(
  deps: Pick<FlowDeps, "database">,
  guarded: Guarded,
): Promise<Operation | undefined> {
  const live =
    "cartId" in guarded
      ? await findLiveOfCart(deps.database, guarded.cartId)
      : await findLiveOfCollection(deps.database, guarded.paymentCollectionId)
  if (!live || !isMoneyMoving(live)) return live
  if (live.state === "review") {
    throw new Refusal("under_review", "We have your payment and look into it. Do not pay again.", {
      payment: statusOf(live),
    })
  }
  throw inProgress(live)
}

/** The change has passed: an open payment page for the old total is looked at, and closed, at once. */
export async function afterChange(
  deps: Pick<FlowDeps, "database">,
  live: Operation,
): Promise<void> {
  if (live.flow === "hosted") await bringForward(deps.database, live.id, 0)
}
