/** What an order still asks for, against what a payment of it is for. */
import { moneyFromMajor } from "../core/money"
import type { Operation } from "../core/operation"
import type { FlowDeps } from "./deps"

/** An order that was paid in part asks for the rest; money for that is none too much. */
export async function asksForAll(
  deps: Pick<FlowDeps, "host">,
  orderId: string,
  { amount }: Pick<Operation, "amount">,
): Promise<boolean> {
  const order = await deps.host.openOrder(orderId)
  const open = order && moneyFromMajor(order.openAmount, amount.currency)
  return open !== undefined && open.minor >= amount.minor
}
