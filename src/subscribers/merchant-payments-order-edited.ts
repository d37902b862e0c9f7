import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { lookAtPaymentsOfOrder } from "../orders/look-at-order"
import { flowsFrom } from "../medusa/wiring/flows-from"

export default async function lookAtPayments({
  event,
  container,
}: SubscriberArgs<{ order_id: string }>): Promise<void> {
  await lookAtPaymentsOfOrder(flowsFrom(container), event.data.order_id)
}

export const config: SubscriberConfig = {
  event: "order-edit.confirmed",
  context: { subscriberId: "merchant-payments-order-edited" },
}
