/** What Medusa itself says about an order, asked as the merchant. */
import type { DemoState } from "./demo"

export type AdminOrder = {
  id: string
  display_id: number
  email: string
  currency_code: string
  total: number
  payment_status: string
  summary: { paid_total: number; pending_difference: number }
  payment_collections: { captured_amount: number; payments: { captured_at: string | null }[] }[]
}

const FIELDS = "id,display_id,email,currency_code,total,payment_status,summary"
const PAYMENTS = "*payment_collections,*payment_collections.payments"
const ORDERS_MAX = 100

export type Admin = {
  /** All orders of this shopper, newest first. */
  ordersOf(email: string): Promise<AdminOrder[]>
  /** The region offers Medusa's own way to pay and nothing else, as in a new store. */
  leaveToMedusa(region: string): Promise<void>
  /** Takes what the order's only payment holds, so that nothing is left to be paid. */
  capture(orderId: string): Promise<void>
  /** Decides about the payment of this shopper that waits for it. */
  resolve(email: string, action: "accept" | "refund" | "dismiss"): Promise<void>
  /** Keeps an account that the merchant typed, as the settings page does. */
  addAccount(account: object): Promise<void>
  /** A sale of the mug in one region. Answers the price list's id. */
  putOnSale(region: string, amount: number): Promise<string>
  /** A second person, who has accepted an invitation. */
  invite(login: { email: string; password: string }): Promise<void>
}

export async function adminOf(demo: DemoState): Promise<Admin> {
  async function call<T>(path: string, init: RequestInit, token?: string): Promise<T> {
    const headers = {
      ...(init.body ? { "content-type": "application/json" } : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    }
    const response = await fetch(`${demo.store_api_url}/${path}`, { ...init, headers })
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
    return (await response.json()) as T
  }
  const post = (path: string, body: object, token?: string) =>
    call<{ token: string }>(path, { method: "POST", body: JSON.stringify(body) }, token)

  const own = { email: demo.admin_email, password: demo.admin_password }
  const { token } = await post("auth/user/emailpass", own)
  const ask = <T>(path: string, body?: object) =>
    call<T>(`admin/${path}`, body ? { method: "POST", body: JSON.stringify(body) } : {}, token)

  async function regionIdOf(name: string): Promise<string> {
    const { regions } = await ask<{ regions: { id: string; name: string }[] }>("regions")
    const region = regions.find((one) => one.name === name)
    if (!region) throw new Error(`there is no region ${name}`)
    return region.id
  }

  return {
    async ordersOf(email) {
      // The search finds a part of a word as well.
      const search = `q=${encodeURIComponent(email)}&limit=${ORDERS_MAX}&order=-created_at`
      const path = `orders?${search}&fields=${FIELDS},${PAYMENTS}`
      const { orders } = await ask<{ orders: AdminOrder[] }>(path)
      return orders.filter((order) => order.email === email)
    },
    async leaveToMedusa(name) {
      await ask(`regions/${await regionIdOf(name)}`, { payment_providers: ["pp_system_default"] })
    },
    async capture(orderId) {
      type Found = { order: { payment_collections: { payments: { id: string }[] }[] } }
      const path = `orders/${orderId}?fields=id,*payment_collections.payments`
      const { order } = await ask<Found>(path)
      const [payment] = order.payment_collections.flatMap(({ payments }) => payments)
      if (!payment) throw new Error(`${orderId} has no payment`)
      await ask(`payments/${payment.id}/capture`, {})
    },
    async resolve(email, action) {
      type Found = { operations: { id: string }[] }
      const path = "merchant-payments/operations/search"
      const { operations } = await ask<Found>(path, { q: email, state: "review" })
      const [operation] = operations
      if (!operation) throw new Error(`nothing of ${email} waits for a decision`)
      const note = "The shopper asked for it."
      await ask(`merchant-payments/operations/${operation.id}/resolve`, { action, note })
    },
    async addAccount(account) {
      await ask("merchant-payments/accounts", account)
    },
    async putOnSale(region, amount) {
      type Found = { products: { variants: { id: string }[] }[] }
      const mugs = "products?handle=enamel-mug&fields=id,variants.id"
      const [product] = (await ask<Found>(mugs)).products
      const price = { currency_code: "lrd", amount, rules: { region_id: await regionIdOf(region) } }
      const { price_list: list } = await ask<{ price_list: { id: string } }>("price-lists", {
        title: "Sale",
        description: "A week of mugs",
        type: "sale",
        status: "active",
        prices: product?.variants.map(({ id }) => ({ ...price, variant_id: id })),
      })
      return list.id
    },
    async invite({ email, password }) {
      type Invited = { invite: { token: string } }
      const { invite } = await ask<Invited>("invites", { email })
      const registered = await post("auth/user/emailpass/register", { email, password })
      await post(`admin/invites/accept?token=${invite.token}`, { email }, registered.token)
    },
  }
}
