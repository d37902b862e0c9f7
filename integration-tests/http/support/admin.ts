/** What the merchant sees: Medusa's own admin API, logged in. */
import { ADMIN } from "./store-process"
import { expectOk, type Answer, type Shop } from "./shop"

export type AdminOrder = {
  id: string
  status: string
  payment_status: string
  currency_code: string
  total: number
  summary: {
    paid_total: number
    refunded_total: number
    pending_difference: number
    transaction_total: number
    credit_line_total: number
  }
  payment_collections: {
    id: string
    status: string
    amount: number
    captured_amount: number
    refunded_amount: number | null
    payments: {
      id: string
      amount: number
      provider_id: string
      captured_at: string | null
      data: Record<string, unknown>
      captures: { amount: number }[]
      refunds: { id: string; amount: number; created_by: string | null }[]
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
  "*payment_collections.payments.refunds",
].join(",")

export type Admin = ReturnType<typeof adminAt>

export function adminAt(shop: Shop, credentials = ADMIN) {
  let token: Promise<string> | undefined
  const login = async () => {
    const { token: given } = await expectOk(
      shop.call<{ token: string }>("POST", "/auth/user/emailpass", credentials),
    )
    return given
  }
  async function call<T>(method: string, path: string, body?: unknown): Promise<Answer<T>> {
    token ??= login()
    return shop.call<T>(method, path, body, { authorization: `Bearer ${await token}` })
  }
  return {
    call,
    /** Gives an amount of a payment back; without one all of it. */
    refund: (paymentId: string, amount?: number) =>
      call<{ message?: string }>(
        "POST",
        `/admin/payments/${paymentId}/refund`,
        amount === undefined ? {} : { amount },
      ),
    cancel: (orderId: string) =>
      call<{ code?: string; message?: string }>("POST", `/admin/orders/${orderId}/cancel`, {}),
    async order(id: string): Promise<AdminOrder> {
      const { order } = await expectOk(
        call<{ order: AdminOrder }>("GET", `/admin/orders/${id}?fields=${FIELDS}`),
      )
      return order
    },
  }
}
