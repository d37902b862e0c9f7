import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { lookAtPaymentsOfOrder } from "../flows/look-at-order"
import { flowsFrom } from "../modules/merchant-payments/wiring/flows-from"

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
