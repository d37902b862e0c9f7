/**
 * What the shop does once for each order. A storefront or a route that did it after
 * `POST /store/carts/:id/complete` is not asked with `pay_first`: the plugin's job completes the
 * cart. Copy it into `src/subscribers/` of the store; it needs a notification provider for the
 * channel `email`.
 *
 * The same event may come twice: the order's id is in the idempotency key, so that Medusa sends one
 * message for each order. With `order_first` the order is placed before its money.
 */
import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { ContainerRegistrationKeys, Modules, OrderWorkflowEvents } from "@medusajs/framework/utils"

/** As in the types that `medusa build` generates, which have the order's number as a text. */
type Order = {
  readonly id: string
  readonly display_id?: number | string | null
  readonly email?: string | null
}

export default async function afterTheOrder({
  event: { data: placed },
  container,
}: SubscriberArgs<{ id: string }>): Promise<void> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: "order",
    fields: ["id", "display_id", "email"],
    filters: { id: placed.id },
  })
  const orders: readonly Order[] = data
  const [order] = orders
  if (!order?.email) return
  await container.resolve(Modules.NOTIFICATION).createNotifications({
    to: order.email,
    channel: "email",
    template: "order-placed",
    idempotency_key: `order-placed:${order.id}`,
    resource_type: "order",
    resource_id: order.id,
    data: { display_id: order.display_id },
  })
}

export const config: SubscriberConfig = { event: OrderWorkflowEvents.PLACED }
