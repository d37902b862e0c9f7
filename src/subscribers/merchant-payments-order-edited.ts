import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import type { OrderId } from "../core/ids"
import { checkPaymentsOfOrder } from "../orders/changed-order"
import { flowsFrom } from "../medusa/wiring/flows-from"

export default async function checkEditedOrder({
  event,
  container,
}: SubscriberArgs<{ order_id: OrderId }>): Promise<void> {
  await checkPaymentsOfOrder(flowsFrom(container), event.data.order_id)
}

export const config: SubscriberConfig = {
  event: "order-edit.confirmed",
  context: { subscriberId: "merchant-payments-order-edited" },
}
