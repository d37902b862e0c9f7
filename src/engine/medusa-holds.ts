/** What Medusa holds of a payment already, and what its order still asks for. */
import { isMajorOf, moneyFromMajor } from "../core/money"
import type { Operation } from "../core/operation"
import { findMoneyOfSession } from "../ledger/find-operations"
import type { FlowDeps } from "./deps"
import type { HostRecord } from "./host"

/**
 * Of these payments in Medusa, those of this operation's money, without cancelled ones. An undone
 * completion leaves its payment on a session that the operation had before (H25).
 */
export async function paymentsOf(
  deps: Pick<FlowDeps, "database">,
  operation: Operation,
  payments: HostRecord["payments"],
): Promise<HostRecord["payments"]> {
  const own: HostRecord["payments"][number][] = []
  for (const payment of payments.filter(({ isCanceled }) => !isCanceled)) {
    const isOwn =
      payment.sessionId === operation.paymentSessionId ||
      (await findMoneyOfSession(deps.database, payment.sessionId))?.id === operation.id
    if (isOwn) own.push(payment)
  }
  return own
}

/**
 * An order that was paid in part asks for the rest; money for that is none too much. What is
 * authorised in another way is still asked for in Medusa's sum, and would be taken beside ours when
 * it is captured.
 */
export async function asksForAll(
  deps: Pick<FlowDeps, "host">,
  orderId: string,
  { amount, paymentCollectionId }: Pick<Operation, "amount" | "paymentCollectionId">,
): Promise<boolean> {
  const order = await deps.host.openOrder(orderId)
  if (!order || order.isCanceled) return false
  if (order.uncapturedIn.some((id) => id !== paymentCollectionId)) return false
  const open = moneyFromMajor(order.openAmount, amount.currency)
  return open !== undefined && open.minor >= amount.minor
}

/** Another total, currency, region or way to pay is asked for now, or nothing at all. */
export async function isForOtherTotal(
  deps: Pick<FlowDeps, "host">,
  operation: Operation,
): Promise<boolean> {
  const due = await deps.host.due(operation.paymentCollectionId)
  if (!due || due.isOrderCanceled || due.isAbandoned) return true
  const { providerId, flow, orderId } = operation
  const isOtherProvider = due.providerIds.length > 0 && !due.providerIds.includes(providerId)
  const isServed = due.servedProviderIds?.includes(providerId) ?? true
  if (isOtherProvider || !isServed || !isMajorOf(operation.amount, due)) return true
  // Through another collection: a link's order may have been paid in another way meanwhile.
  return flow === "link" && orderId !== null && !(await asksForAll(deps, orderId, operation))
}
