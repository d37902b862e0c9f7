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
}

export async function adminOf(demo: DemoState): Promise<Admin> {
  const login = await fetch(`${demo.store_api_url}/auth/user/emailpass`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: demo.admin_email, password: demo.admin_password }),
  })
  if (!login.ok) throw new Error(`the admin's login answered ${login.status}`)
  const { token } = (await login.json()) as { token: string }

  return {
    async ordersOf(email) {
      const query = `fields=${FIELDS},${PAYMENTS}&order=-created_at&limit=${ORDERS_MAX}`
      const response = await fetch(`${demo.store_api_url}/admin/orders?${query}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      if (!response.ok) throw new Error(`the list of orders answered ${response.status}`)
      const { orders } = (await response.json()) as { orders: AdminOrder[] }
      return orders.filter((order) => order.email === email)
    },
  }
}
