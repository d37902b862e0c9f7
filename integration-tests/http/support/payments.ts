/** Sentences that several suites use about a payment. */
import { expectOk, type Payment } from "./shop"
import { until } from "../../support/until"
import type { Harness } from "./harness"

const END_STATES = ["paid", "failed", "expired", "under_review"]

/** Asks for STATUS as a page does, until it ends. */
export function settled(harness: Harness, sessionId: string): Promise<Payment> {
  return until(async () => {
    const { payment } = await expectOk(harness.shop.status(sessionId))
    return payment && END_STATES.includes(payment.state) ? payment : undefined
  }, "an end state")
}

/** The order of a cart, looked for in Medusa's tables: for shoppers who never ask. */
export function orderOf(harness: Harness, cartId: string): Promise<string> {
  return until(async () => {
    const [row] = await harness.sql<{ order_id: string }>(
      `select oc.order_id from order_cart oc
           join order_payment_collection opc on opc.order_id = oc.order_id
           join mp_operation o on o.payment_collection_id = opc.payment_collection_id
          where oc.cart_id = $1 and o.recorded_at is not null`,
      [cartId],
    )
    return row?.order_id
  }, "a recorded order")
}

export function operationsOf(harness: Harness, cartId: string) {
  return harness.sql<{
    id: string
    state: string
    reason: string | null
    reference: string | null
    source_id: string | null
    is_duplicate: boolean
    version: number
    payer_amount: string | null
    quoted_payer_amount: string | null
  }>(
    `select id, state, reason, reference, source_id, is_duplicate, version, payer_amount,
            quoted_payer_amount from mp_operation
      where cart_id = $1 order by created_at`,
    [cartId],
  )
}

/** How often the gateway took money for a cart, all its operations together. */
export async function timesCharged(harness: Harness, cartId: string): Promise<number> {
  const operations = await operationsOf(harness, cartId)
  const sources = new Set(operations.map(({ source_id }) => source_id).filter(Boolean))
  return [...sources].reduce(
    (sum, id) => sum + (harness.simulator.book.document(Number(id))?.charges ?? 0),
    0,
  )
}

/** Order, capture and transaction all say the same amount as the cart did. */
export async function expectPaidInFull(
  harness: Harness,
  orderId: string,
  total: number,
): Promise<void> {
  const order = await harness.admin.order(orderId)
  expect(order.total).toBe(total)
  expect(order.payment_status).toBe("captured")
  expect(order.summary.paid_total).toBe(total)
  expect(order.summary.transaction_total).toBe(total)
  expect(order.summary.pending_difference).toBe(0)
  const [collection] = order.payment_collections
  expect(collection?.status).toBe("completed")
  expect(collection?.captured_amount).toBe(total)
  const captures = collection?.payments.flatMap((payment) => payment.captures) ?? []
  expect(captures.map((capture) => capture.amount)).toEqual([total])
}
