/**
 * An order was changed in Medusa. Its open payment may be for another amount by now: it is checked
 * soon, and the check closes what no longer fits. Nothing is lost when this is never called: a link
 * is checked every few minutes anyway.
 */
import { LIMITS } from "../core/limits"
import { checkAfterChange } from "../ledger/bring-forward"
import { findLiveOfCollection } from "../ledger/find-operations"
import type { FlowDeps } from "../engine/deps"

export async function checkPaymentsOfOrder(
  deps: Pick<FlowDeps, "database" | "host">,
  orderId: string,
): Promise<void> {
  for (const collectionId of await deps.host.collectionsOfOrder(orderId)) {
    const live = await findLiveOfCollection(deps.database, collectionId)
    if (live) await checkAfterChange(deps.database, live.id, LIMITS.changeCheckEveryMs)
  }
}
