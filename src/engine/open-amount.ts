/** What an order still asks for, against what a payment of it is for. */
import { moneyFromMajor } from "../core/money"
import type { Operation } from "../core/operation"
import type { FlowDeps } from "./deps"

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
