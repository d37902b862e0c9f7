/** What Medusa already holds of a payment. */
import type { Operation } from "../core/operation"
import { findMoneyOfSession } from "../ledger/find-operations"
import type { FlowDeps } from "./deps"
import type { MedusaRecord } from "./medusa-port"

/**
 * The uncancelled payments in Medusa that hold this operation's money. An undone completion leaves
 * its payment on a session that the operation had before (H25).
 */
export async function paymentsOf(
  deps: Pick<FlowDeps, "database">,
  operation: Operation,
  payments: MedusaRecord["payments"],
): Promise<MedusaRecord["payments"]> {
  const own: MedusaRecord["payments"][number][] = []
  for (const payment of payments.filter(({ isCanceled }) => !isCanceled)) {
    const isOwn =
      payment.sessionId === operation.paymentSessionId ||
      (await findMoneyOfSession(deps.database, payment.sessionId))?.id === operation.id
    if (isOwn) own.push(payment)
  }
  return own
}
