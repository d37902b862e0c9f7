/**
 * Reads what an order still asks for, through Medusa's query engine. The stored sum lacks the taxes
 * of a draft that became an order. Medusa recomputes the sum for each reading, and its own workflow
 * makes the payment collection for the recomputed sum.
 */
import type { MedusaContainer, RemoteQueryFunction } from "@medusajs/framework/types"
import {
  idFrom,
  type OrderId,
  type PaymentCollectionId,
  type PaymentSessionId,
} from "../../core/ids"
import type { MedusaOpenOrder } from "../../engine/medusa-port"
import type { SessionReader } from "./session-reader"
import { idIn, runWorkflow } from "./workflows"

type Query = Omit<RemoteQueryFunction, symbol>

export type ReadOrder = {
  id: OrderId
  status: string
  currency_code: string
  is_draft_order?: boolean | null
  canceled_at?: unknown
  summary?: { pending_difference?: { toString(): string } | number | null } | null
}

/** What {@link openOrderOf} needs of Medusa's query engine. */
export const OPEN_ORDER_FIELDS = [
  "id",
  "status",
  "currency_code",
  "is_draft_order",
  "canceled_at",
  "summary",
  // Requesting the total makes Medusa recompute the summary.
  "total",
]

export async function openOrder(
  query: Query,
  reader: Pick<SessionReader, "uncapturedOf">,
  orderId: OrderId,
): Promise<MedusaOpenOrder | undefined> {
  const [{ data }, uncapturedIn] = await Promise.all([
    query.graph({ entity: "order", fields: OPEN_ORDER_FIELDS, filters: { id: orderId } }),
    reader.uncapturedOf(orderId),
  ])
  const order = data[0] as ReadOrder | undefined
  return order && openOrderOf(order, uncapturedIn)
}

export function openOrderOf(
  order: ReadOrder,
  uncapturedIn: readonly PaymentCollectionId[],
): MedusaOpenOrder {
  return {
    id: order.id,
    currency: order.currency_code,
    openAmount: String(order.summary?.pending_difference ?? 0),
    isCanceled: order.status === "canceled" || Boolean(order.canceled_at),
    isDraft: order.is_draft_order === true || order.status === "draft",
    uncapturedIn,
  }
}

/**
 * Makes a payment collection for the open amount, and a session in it, as Medusa's dashboard does.
 *
 * The caller keeps two admins from making two payment collections (`engine/one-at-a-time.ts`).
 * Medusa's dashboard may still make another one; `start` then allows only one payment of the order.
 */
export async function openSession(
  container: MedusaContainer,
  reader: Pick<SessionReader, "openSessionOf">,
  orderId: OrderId,
  providerId: string,
): Promise<PaymentSessionId> {
  const missing = "Medusa made nothing that could be paid for the order"
  const collectionWorkflow = "create-or-update-order-payment-collection"
  const made = await runWorkflow(container, collectionWorkflow, { order_id: orderId })
  const first: unknown = Array.isArray(made) ? made[0] : made
  const paymentCollectionId = idFrom<PaymentCollectionId>(idIn(first, missing))
  const open = await reader.openSessionOf(paymentCollectionId, providerId)
  if (open) return open
  const input = { payment_collection_id: paymentCollectionId, provider_id: providerId }
  const session = await runWorkflow(container, "create-payment-sessions", input)
  return idFrom<PaymentSessionId>(idIn(session, missing))
}
