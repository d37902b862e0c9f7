/** What an admin reads of payouts and transfers. */
import { refusal } from "../core/refusal"
import type { LedgerDeps } from "../engine/deps"
import {
  findPayout,
  listPayouts,
  type Payout,
  type PayoutFilter,
  type PayoutType,
} from "./sql/find-payouts"

/** @throws Refusal `operation_not_found` */
export async function readPayout(
  deps: Pick<LedgerDeps, "database">,
  type: PayoutType,
  id: string,
): Promise<Payout> {
  const found = await findPayout(deps.database, type, id)
  if (found) return found
  throw refusal("operation_not_found")
}

export function readPayouts(deps: Pick<LedgerDeps, "database">, filter: PayoutFilter) {
  return listPayouts(deps.database, filter)
}
