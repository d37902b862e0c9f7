/**
 * Writes to the shop when a payment waits for a person, or a refund did not go through. Copy it
 * into `src/subscribers/` of the store; it needs a notification provider for the channel `email`.
 *
 * The same event may come twice: its `event_id` is the notification's idempotency key, so that
 * Medusa sends it once. It holds ids and codes only; who the customer is, is read from the order.
 */
import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { Modules } from "@medusajs/framework/utils"
import type { MerchantPaymentsEventData } from "medusa-plugin-merchant-payments/events"

const TO = process.env["SHOP_EMAIL"] ?? "shop@example.com"

export default async function tellTheShop({
  event: { name, data },
  container,
}: SubscriberArgs<MerchantPaymentsEventData>): Promise<void> {
  await container.resolve(Modules.NOTIFICATION).createNotifications({
    to: TO,
    channel: "email",
    template: name,
    idempotency_key: data.event_id,
    resource_type: "merchant_payments_operation",
    resource_id: data.id,
    data: { ...data },
  })
}

export const config: SubscriberConfig = {
  event: ["merchant_payments.review_opened", "merchant_payments.refund_failed"],
}
