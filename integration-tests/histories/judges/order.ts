/** The box on an order's page in Medusa's admin. */
import type { OperationRefund, OperationSummary } from "../../../src/review/schemas/operations"
import { differ, some, type Look } from "./look"

type Shown = OperationSummary & { readonly refunds: readonly OperationRefund[] }

/** What an order's box and a payment's page both say of it. */
const saidOf = ({ id, state, attention, figures, refunds, ...one }: Shown) => ({
  ...{ id, state, attention, gross: figures.gross, net: figures.net },
  refunded: one.refunded_amount,
  pending: one.refund_pending_amount,
  recorded: one.recorded_at,
  refunds: refunds
    .map((refund) => `${refund.id}: ${refund.amount}, ${refund.progress}, ${refund.refund_id}`)
    .sort(),
})

/** The box on an order has the payments for it and no other, and says of each what its page says. */
export async function orderBoxIsThePages({ shown, carts, dice, most }: Look): Promise<string[]> {
  const details = (await shown.details()).filter(({ type }) => type === "COLLECTION")
  const all = [...carts]
  const orderIds = new Set(all.flatMap(([, { order }]) => order?.id ?? []))
  const found: string[] = []
  for (const id of some([...orderIds], dice, most)) {
    const collections = all.flatMap(([key, { order }]) => (order?.id === id ? key : []))
    const wanted = details
      .filter((one) => one.order_id === id || collections.includes(one.payment_collection_id))
      .map(saidOf)
    const { operations } = await shown.order(id)
    found.push(...differ(`the box on ${id}`, sorted(operations.map(saidOf)), sorted(wanted)))
  }
  return found
}

const sorted = <T extends { readonly id: string }>(all: readonly T[]): T[] =>
  [...all].sort((one, other) => (one.id < other.id ? -1 : 1))
