/** The one thing every purchase must come to: one order, paid in full, once. */
import type { Admin, AdminOrder } from "./admin"
import { until } from "./until"

/**
 * Waits until the shopper has an order and it is paid, then asserts that it is the only one and
 * that what was captured is its total.
 */
export async function paidOrder(admin: Admin, email: string): Promise<AdminOrder> {
  await until(`an order of ${email} is paid`, async () => {
    const orders = await admin.ordersOf(email)
    // Medusa writes the capture first and the order's transaction after.
    const isPaid = ({ payment_status, summary }: AdminOrder) =>
      payment_status === "captured" && summary.paid_total > 0
    return orders.find(isPaid) ?? null
  })
  const orders = await admin.ordersOf(email)
  expect(orders).toHaveLength(1)
  const [order] = orders
  if (!order) throw new Error("unreachable: there is one order")
  const payments = order.payment_collections.flatMap((collection) => collection.payments)
  expect(payments.filter((payment) => payment.captured_at !== null)).toHaveLength(1)
  expect(order.payment_collections[0]?.captured_amount).toBe(order.total)
  expect(order.summary.paid_total).toBe(order.total)
  expect(order.summary.pending_difference).toBe(0)
  return order
}
