/**
 * What Medusa says is open on a cart or an order at this moment. This is the only place where the
 * amount of a payment is compared with Medusa's: at `start`, while a prompt or a page is out, when
 * money is recorded or placed late, and when an order closes.
 *
 * Credit lines, edits, exchanges and refunds count, because Medusa's own sum has them. A payment
 * collection does not know them all: a credit line leaves its amount as it was.
 */
import { isMajorOf, isPayable, moneyFromMajor, parseCurrency, type Money } from "../core/money"
import { ofMedusa, type MedusaOperation, type Operation } from "../core/operation"
import type { FlowDeps } from "./deps"
import type { MedusaOpenOrder } from "./medusa-port"

/** Whether a payment is for what Medusa asks for. */
export type Fit =
  | "fits"
  /** The order asks for nothing that can be paid, or there is no such order any more. */
  | "nothing_open"
  /** The order asks for less than the payment. */
  | "less_open"
  /** The cart, or the payment collection, asks for more or less than the payment. */
  | "other_amount"
  /** Another payment of the order is authorised: its capture would come on top of ours. */
  | "other_payment"

export type Asked = {
  /** What the cart or the payment collection asks for, unrounded. */
  readonly amount: string
  readonly currency: string
  /** The order that the payment is for; null: there is none yet, undefined: it is gone. */
  readonly order: MedusaOpenOrder | null | undefined
}

export function fitOf(
  { amount, paymentCollectionId }: Pick<MedusaOperation, "amount" | "paymentCollectionId">,
  { order, ...asked }: Asked,
): Fit {
  if (order !== null) {
    if (order?.uncapturedIn.some((id) => id !== paymentCollectionId)) return "other_payment"
    const open = order && openOf(order)
    if (!open) return "nothing_open"
    if (open.currency === amount.currency && open.minor < amount.minor) return "less_open"
  }
  return isMajorOf(amount, asked) ? "fits" : "other_amount"
}

/** @returns undefined: the order is cancelled, asks for nothing, or its currency is not known */
export function openOf({ currency: code, openAmount, isCanceled }: MedusaOpenOrder) {
  const currency = isCanceled ? undefined : parseCurrency(code)
  const open: Money | undefined = currency && moneyFromMajor(openAmount, currency)
  return open && isPayable(open) ? open : undefined
}

/** Whether an order that was made for this money asks for more or less, once it has the money. */
export function isLeftOver({ currency }: Money, { openAmount }: MedusaOpenOrder): boolean {
  return moneyFromMajor(openAmount.replace(/^-/, ""), currency)?.minor !== 0n
}

/**
 * Whether Medusa now asks for another total, currency, region or provider, or for nothing.
 *
 * @param isSummed the cart's own sum is read, too: the shop's code may change a cart and leave its
 *   payment collection as it was. Medusa works it out anew, which is too much for each question of a
 *   browser.
 */
export async function isForOtherTotal(
  { medusa }: Pick<FlowDeps, "medusa">,
  operation: Operation,
  isSummed = false,
): Promise<boolean> {
  const payment = ofMedusa(operation)
  const due = await medusa.due(payment.paymentCollectionId)
  if (!due || due.isOrderCanceled || due.isAbandoned) return true
  const { providerId, cartId } = payment
  const isOtherProvider = due.providerIds.length > 0 && !due.providerIds.includes(providerId)
  const isServed = due.servedProviderIds?.includes(providerId) ?? true
  if (isOtherProvider || !isServed) return true
  const order = due.orderId === null ? null : await medusa.openOrder(due.orderId)
  if (fitOf(payment, { ...due, order }) !== "fits") return true
  if (!isSummed || order !== null || cartId === null) return false
  const amount = await medusa.cartTotal(cartId)
  return amount !== undefined && fitOf(payment, { ...due, amount, order }) !== "fits"
}
