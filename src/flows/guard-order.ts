/**
 * Medusa's `cancel-order` refunds first and swallows a refund that is refused: the order would read
 * canceled and refunded while nothing went back. So it is refused while the refund can't be sent.
 */
import { Refusal } from "../core/refusal"
import { findMoneyOfOrder, findMoneyOfSession } from "../ledger/find-operations"
import type { FlowDeps } from "./deps"

/** @throws Refusal `refund_unavailable` for an order that holds money of ours */
export async function refusePaidOrderCancel(
  deps: Pick<FlowDeps, "database" | "host">,
  orderId: string,
): Promise<void> {
  const sessions = await deps.host.paidSessionsOfOrder(orderId)
  const bySession = await Promise.all(
    sessions.map((session) => findMoneyOfSession(deps.database, session)),
  )
  const money = bySession.find(Boolean) ?? (await findMoneyOfOrder(deps.database, orderId))
  if (!money) return
  throw new Refusal(
    "refund_unavailable",
    "This order is paid, and its refund can't be sent from here yet. Refund it in the merchant " +
      "portal first. Nothing was changed.",
  )
}
