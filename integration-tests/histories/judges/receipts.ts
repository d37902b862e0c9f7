/** The customer's receipt. */
import type { OperationDetail } from "../../../src/review/schemas/operations"
import { centsOf, moneyOfEach } from "../truth"
import { differ, type Look } from "./look"

/**
 * A receipt has the payments and refunds that the gateway's book has, to the last cent; of what was
 * not paid there is none. At a quiet end of what was paid there is one.
 */
export async function receiptsAreTheBook({ shown, truth }: Look): Promise<string[]> {
  const payments = (await shown.details()).filter(({ type }) => type === "COLLECTION")
  const orderOf = orderOfEach(payments)
  const named = payments.map(namedOf)
  const money = moneyOfEach(truth, named)
  const found: string[] = []
  for (const [index, payment] of payments.entries()) {
    const receipt = await shown.receipt(payment.id)
    const came = money[index] ?? []
    const isPaid = payment.recorded_at !== null && payment.state === "completed"
    if (receipt && came.length === 0) found.push(`${payment.id} has a receipt, and no money`)
    if (!receipt && isPaid) found.push(`${payment.id} is paid, and has no receipt`)
    if (!receipt) continue
    const known = payments.flatMap((one, at) =>
      isOn(payment, one, orderOf) ? (money[at] ?? []) : [],
    )
    const stated = receipt.payments.map(({ amount }) => centsOf(amount.value))
    found.push(...notIn(`a payment of the receipt of ${payment.id}`, stated, centsIn(known)))
    const paid = receipt.payments.filter(({ state }) => state === "paid" || state === "returned")
    const sum = paid.reduce((all, { amount }) => all + centsOf(amount.value), 0)
    found.push(...differ(`paid on the receipt of ${payment.id}`, centsOf(receipt.paid.value), sum))
    const refunds = payments
      .filter((one) => isOn(payment, one, orderOf))
      .flatMap((one) => one.refunds.flatMap(({ reference }) => reference ?? []))
    const back = truth.filter(
      ({ kind, reference }) => kind === "refunded" && refunds.includes(reference),
    )
    const returned = receipt.refunds.filter(({ state }) => state === "refunded")
    found.push(
      ...differ(
        `what went back on the receipt of ${payment.id}`,
        returned.map(({ amount }) => centsOf(amount.value)).sort(),
        centsIn(back).sort(),
      ),
    )
  }
  return found
}

export const namedOf = ({ reference, source_id: document }: OperationDetail) => ({
  reference,
  document,
})

type OrderOf = (payment: OperationDetail) => string | null

/** What was paid twice for a cart belongs to its order, too. */
function orderOfEach(payments: readonly OperationDetail[]): OrderOf {
  const orders = new Map(
    payments.flatMap(({ cart_id: cart, order_id: order }) =>
      cart !== null && order !== null ? [[cart, order] as const] : [],
    ),
  )
  return ({ cart_id: cart, order_id: order }) => order ?? orders.get(cart ?? "") ?? null
}

/** An order's receipt has all payments for it; one of money without an order that payment alone. */
const isOn = (payment: OperationDetail, other: OperationDetail, orderOf: OrderOf) =>
  payment.id === other.id || (payment.order_id !== null && orderOf(other) === payment.order_id)

const centsIn = (all: readonly { readonly cents: number }[]) => all.map(({ cents }) => cents)

function notIn(what: string, stated: readonly number[], known: readonly number[]): string[] {
  const left = [...known]
  return stated.flatMap((one) => {
    const at = left.indexOf(one)
    if (at >= 0) left.splice(at, 1)
    return at >= 0 ? [] : [`${what} is ${one}, and no such money came`]
  })
}
