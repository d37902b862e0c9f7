/** The address of the customer's receipt: a person who has it sees the receipt, and no one can guess it. */
import type { OrderId } from "../core/ids"
import type { FlowDeps } from "../engine/deps"
import { receiptToken } from "./sql/receipt-links"

/**
 * The same address for an order each time, so that it can be sent again.
 *
 * @returns null: the order is not paid yet, its link has ended, or the store does not know its own
 *   address (`MERCHANT_PAYMENTS_PUBLIC_URL`)
 */
export async function receiptUrlOf(
  { database, ids, settings }: Pick<FlowDeps, "database" | "ids" | "settings">,
  orderId: OrderId | null,
): Promise<string | null> {
  const { publicUrl } = settings
  if (orderId === null || publicUrl === undefined) return null
  const token = await receiptToken(database, orderId, ids.receiptToken())
  return token === undefined ? null : `${publicUrl}/merchant-payments/receipt/${token}`
}
