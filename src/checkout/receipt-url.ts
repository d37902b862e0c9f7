/** The address of the customer's receipt: a person who has it sees the receipt, and no one can guess it. */
import type { OrderId } from "../core/ids"
import type { Operation } from "../core/operation"
import { opensOrder } from "../core/recorded"
import type { FlowDeps } from "../engine/deps"
import { receiptToken } from "./sql/receipt-links"

type UrlParts = Pick<FlowDeps, "database" | "ids" | "settings">

/**
 * The same address for an order each time, so that it can be sent again.
 *
 * @returns null: the order is not paid yet, its link has ended, or the store does not know its own
 *   address (`MERCHANT_PAYMENTS_PUBLIC_URL`)
 */
export const receiptUrlOf = (deps: UrlParts, orderId: OrderId | null): Promise<string | null> =>
  addressOf(deps, orderId)

/**
 * The address for whoever reads STATUS. A renewed link is given to nobody here: it was renewed
 * because the old one, or the session's id, came into wrong hands.
 */
export async function shownReceiptUrl(
  deps: UrlParts,
  operation: Operation,
  isLoggedIn: boolean,
): Promise<string | null> {
  if (!opensOrder(operation, isLoggedIn)) return null
  return addressOf(deps, operation.orderId, { isFirst: true })
}

async function addressOf(
  { database, ids, settings }: UrlParts,
  orderId: OrderId | null,
  which?: { readonly isFirst: true },
): Promise<string | null> {
  const { publicUrl } = settings
  if (orderId === null || publicUrl === undefined) return null
  const token = await receiptToken(database, orderId, ids.receiptToken(), which)
  return token === undefined ? null : `${publicUrl}/merchant-payments/receipt/${token}`
}
