/**
 * Whether a customer can be asked to pay an order just now, from what Medusa and the ledger hold.
 * The gateway is not asked, and nothing is changed.
 */
import type { OrderId } from "../core/ids"
import type { Money } from "../core/money"
import { isMoneyMoving, isRecorded, type Operation } from "../core/operation"
import { refusal, type Refusal } from "../core/refusal"
import { accountFor } from "../ledger/accounts/find-accounts"
import { findAllOfCollection } from "../ledger/find-operations"
import type { FlowDeps } from "../engine/deps"
import type { MedusaOpenOrder } from "../engine/medusa-port"
import { openOf } from "../engine/open-amount"

export type OpenOrder = {
  readonly order: MedusaOpenOrder
  /** What the order still asks for; undefined: it is cancelled, or asks for nothing. */
  readonly open: Money | undefined
}

/** @throws Refusal `order_not_found` */
export async function readOpenOrder(
  deps: Pick<FlowDeps, "medusa">,
  orderId: OrderId,
): Promise<OpenOrder> {
  const order = await deps.medusa.openOrder(orderId)
  if (!order) throw refusal("order_not_found")
  return { order, open: openOf(order) }
}

/**
 * @returns why no customer can be asked to pay the order, by link or prompt; undefined: one can be
 */
export async function whyNotAsked(
  deps: FlowDeps,
  { order, open }: OpenOrder,
): Promise<Refusal | undefined> {
  if (order.isCanceled) return refusal("order_closed")
  if (order.isDraft) return refusal("order_is_draft")
  if (!open) return refusal("nothing_to_pay")
  if (order.uncapturedIn.length > 0) return refusal("other_payment_open")
  return (await whyNoAccount(deps, open)) ?? whyNotNow(deps, order.id)
}

async function whyNoAccount(deps: FlowDeps, { currency }: Money): Promise<Refusal | undefined> {
  const account = accountFor(await deps.accounts(), currency)
  if (!account) return refusal("not_configured")
  const { currencies } = account
  if (!currencies.includes(currency)) {
    return refusal("currency_not_served", { currency }, { currencies })
  }
  return deps.gatewayOf(account) ? undefined : refusal("not_configured")
}

/** Beside money that may still come, or waits for an admin, the order would be paid twice. */
async function whyNotNow(deps: FlowDeps, orderId: OrderId): Promise<Refusal | undefined> {
  const existing = (await paymentsOf(deps, orderId)).find(isInTheWay)
  if (!existing) return undefined
  if (existing.state === "review") return refusal("under_review")
  return refusal("payment_in_progress")
}

function isInTheWay(operation: Operation): boolean {
  const { state, returnedAt, flow } = operation
  if (isRecorded(operation)) return false
  // Another admin is making this link at the same moment: `start` gives it back.
  if (flow === "link" && state === "drafted") return false
  // A duplicate payment counts: an admin may settle the order with it.
  if (state === "review") return returnedAt === null
  return isMoneyMoving(operation)
}

async function paymentsOf(deps: FlowDeps, orderId: OrderId): Promise<Operation[]> {
  const collections = await deps.medusa.collectionsOfOrder(orderId)
  const found = await Promise.all(collections.map((id) => findAllOfCollection(deps.database, id)))
  return found.flat()
}
