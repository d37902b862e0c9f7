/** What Medusa already holds of a payment, and what its order still asks for. */
import type { OrderId } from "../core/ids"
import { isMajorOf, moneyFromMajor } from "../core/money"
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

/**
 * Whether the order still asks for all of this money, as an order paid in part does for its rest.
 * Medusa's open sum still holds what another payment has authorised. Its capture would come on top
 * of ours, so then the answer is no.
 */
export async function asksForAll(
  deps: Pick<FlowDeps, "medusa">,
  orderId: OrderId,
  { amount, paymentCollectionId }: Pick<Operation, "amount" | "paymentCollectionId">,
): Promise<boolean> {
  const order = await deps.medusa.openOrder(orderId)
  if (!order || order.isCanceled) return false
  if (order.uncapturedIn.some((id) => id !== paymentCollectionId)) return false
  const open = moneyFromMajor(order.openAmount, amount.currency)
  return open !== undefined && open.minor >= amount.minor
}

/** Whether Medusa now asks for another total, currency, region or provider, or for nothing. */
export async function isForOtherTotal(
  deps: Pick<FlowDeps, "medusa">,
  operation: Operation,
): Promise<boolean> {
  const due = await deps.medusa.due(operation.paymentCollectionId)
  if (!due || due.isOrderCanceled || due.isAbandoned) return true
  const { providerId, flow, orderId } = operation
  const isOtherProvider = due.providerIds.length > 0 && !due.providerIds.includes(providerId)
  const isServed = due.servedProviderIds?.includes(providerId) ?? true
  if (isOtherProvider || !isServed || !isMajorOf(operation.amount, due)) return true
  // A link's order may have been paid through another payment collection meanwhile.
  return flow === "link" && orderId !== null && !(await asksForAll(deps, orderId, operation))
}
