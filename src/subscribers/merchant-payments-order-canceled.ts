import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import type { OrderId } from "../core/ids"
import { closePaymentsOfOrder } from "../orders/changed-order"
import { flowsFrom } from "../medusa/wiring/flows-from"

export default async function closePayments({
  event,
  container,
}: SubscriberArgs<{ id: OrderId }>): Promise<void> {
  await closePaymentsOfOrder(flowsFrom(container), event.data.id)
}

export const config: SubscriberConfig = {
  event: "order.canceled",
  context: { subscriberId: "merchant-payments-order-canceled" },
}
