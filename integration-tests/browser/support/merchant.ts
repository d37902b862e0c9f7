/**
 * What a merchant does by Medusa's own admin routes, where a test is about another page than those.
 */
import type { DemoState } from "./demo"

export type Merchant = {
  /** An order that an admin wrote down for a customer: nothing of it is paid. */
  unpaidOrder(order: { readonly phone: string; readonly email: string }): Promise<string>
  /** A payment collection for what the order asks for, as after an edit of an order. */
  askForPayment(orderId: string): Promise<void>
  cancel(orderId: string): Promise<void>
}

type Listed = { readonly id: string; readonly name?: string }

export async function merchantOf(demo: DemoState): Promise<Merchant> {
  const ask = async <T>(method: string, path: string, body?: object, token?: string) => {
    const answer = await fetch(`${demo.store_api_url}${path}`, {
      method,
      headers: {
        ...(body && { "content-type": "application/json" }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const { token } = await ask<{ token: string }>("POST", "/auth/user/emailpass", {
    email: demo.admin_email,
    password: demo.admin_password,
  })
  return {
    async unpaidOrder({ phone, email }) {
      const [{ regions }, { sales_channels: channels }, { products }] = await Promise.all([
        ask<{ regions: Listed[] }>("GET", "/admin/regions", undefined, token),
        ask<{ sales_channels: Listed[] }>("GET", "/admin/sales-channels", undefined, token),
        ask<{ products: { variants: Listed[] }[] }>(
          "GET",
          "/admin/products?handle=enamel-mug&fields=id,variants.id",
          undefined,
          token,
        ),
      ])
      const { draft_order: draft } = await ask<{ draft_order: Listed }>(
        "POST",
        "/admin/draft-orders",
        {
          region_id: regions.find(({ name }) => name === "Liberia")?.id,
          sales_channel_id: channels[0]?.id,
          email,
          items: [{ variant_id: products[0]?.variants[0]?.id, quantity: 2 }],
          shipping_address: {
            first_name: "Ada",
            last_name: "Carpenter",
            address_1: "1 Broad Street",
            city: "Monrovia",
            country_code: "lr",
            ...(phone && { phone }),
          },
        },
        token,
      )
      await ask("POST", `/admin/draft-orders/${draft.id}/convert-to-order`, {}, token)
      return draft.id
    },
    async askForPayment(orderId) {
      const { order } = await ask<{ order: { total: number } }>(
        "GET",
        `/admin/orders/${orderId}?fields=total`,
        undefined,
        token,
      )
      const body = { order_id: orderId, amount: order.total }
      await ask("POST", "/admin/payment-collections", body, token)
    },
    async cancel(orderId) {
      await ask("POST", `/admin/orders/${orderId}/cancel`, {}, token)
    },
  }
}
