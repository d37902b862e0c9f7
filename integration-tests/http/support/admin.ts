/** What the merchant sees: Medusa's own admin API, logged in. */
import { ADMIN } from "./store-process"
import { expectOk, type Answer, type Shop } from "./shop"

export type AdminOrder = {
  id: string
  status: string
  payment_status: string
  currency_code: string
  total: number
  summary: { paid_total: number; pending_difference: number; transaction_total: number }
  payment_collections: {
    id: string
    status: string
    amount: number
    captured_amount: number
    payments: {
      id: string
      amount: number
      provider_id: string
      captured_at: string | null
      data: Record<string, unknown>
      captures: { amount: number }[]
    }[]
  }[]
}

const FIELDS = [
  "id",
  "status",
  "payment_status",
  "currency_code",
  "total",
  "summary",
  "*payment_collections",
  "*payment_collections.payments",
  "*payment_collections.payments.captures",
].join(",")

export type Admin = ReturnType<typeof adminAt>

export function adminAt(shop: Shop) {
  let token: Promise<string> | undefined
  const login = async () => {
    const { token: given } = await expectOk(
      shop.call<{ token: string }>("POST", "/auth/user/emailpass", ADMIN),
    )
    return given
  }
  async function call<T>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    token ??= login()
    return shop.call<T>(method, path, body, { authorization: `Bearer ${await token}` })
  }
  return {
    call,
    async order(id: string): Promise<AdminOrder> {
      const { order } = await expectOk(
        call<{ order: AdminOrder }>("GET", `/admin/orders/${id}?fields=${FIELDS}`),
      )
      return order
    },
  }
}
