/**
 * Medusa's `cancel-order` refunds first and swallows a refund that is refused: the order would read
 * canceled and refunded while nothing went back. So it is refused while the refund can't be sent.
 */
import type { Operation } from "../core/operation"
import { Refusal } from "../core/refusal"
import {
  findAllOfCollection,
  findMoneyOfOrder,
  findMoneyOfSession,
} from "../ledger/find-operations"
import type { FlowDeps } from "./deps"

/** @throws Refusal `refund_unavailable` for an order that holds money of ours, or is about to */
export async function refusePaidOrderCancel(
  deps: Pick<FlowDeps, "database" | "host">,
  orderId: string,
): Promise<void> {
  if (!(await holdsMoney(deps, orderId))) return
  throw new Refusal(
    "refund_unavailable",
    "This order is paid, and its refund can't be sent from here yet. Refund it in the merchant " +
      "portal first. Nothing was changed.",
  )
}

/** By order, by collection and by payment: an order placed before its money is not in the ledger's row. */
async function holdsMoney(
  deps: Pick<FlowDeps, "database" | "host">,
  orderId: string,
): Promise<boolean> {
  const [collections, sessions, own] = await Promise.all([
    deps.host.collectionsOfOrder(orderId),
    deps.host.paidSessionsOfOrder(orderId),
    findMoneyOfOrder(deps.database, orderId),
  ])
  if (own) return true
  const found = await Promise.all([
    ...collections.map((id) => findAllOfCollection(deps.database, id)),
    ...sessions.map(async (id) => [await findMoneyOfSession(deps.database, id)]),
  ])
  return found.flat().some((operation) => operation !== undefined && isMoney(operation))
}

function isMoney({ state, returnedAt }: Operation): boolean {
  return (state === "completed" || state === "review") && returnedAt === null
}
