/**
 * What a receipt says (specification, "Invoice receipt"): the document and the one payment that
 * paid it, with the figures of that payment as they were when it was made. There is none before.
 */
import type { Document, Execution } from "../book/records"
import { notFound, wrongState } from "../problem"
import type { World } from "../world"
import { stateOf } from "./documents"
import { reachedMs } from "./timeline"

export type Payment = { execution: Execution; paidAtMs: number }

/** The payment that made the source `PAID`: the first to complete. Null unless it is `PAID`. */
export function paymentOf(world: World, document: Document): Payment | null {
  const { paidAtMs } = stateOf(world, document)
  if (paidAtMs === null) return null
  const nowMs = world.time.nowMs()
  const execution = world.book
    .executionsOf(document.id)
    .find(({ steps }) => reachedMs(steps, "COMPLETED", nowMs) === paidAtMs)
  return execution ? { execution, paidAtMs } : null
}

/** The payment, or 404 (422 by setting) on the path's `parameter` before there is one. */
export function receiptOf(world: World, document: Document, parameter: string): Payment {
  const payment = paymentOf(world, document)
  if (payment) return payment
  if (world.settings.unpaidReceipt === 404) throw notFound("Receipt")
  const { status } = stateOf(world, document)
  throw wrongState(["path", parameter], `The source is ${status}: a receipt comes when it is PAID`)
}

/** What the payer's account is called, where the merchant registered one. */
export const accountNameOf = (world: World, { accountId }: Execution): string | null =>
  accountId === null ? null : (world.book.accounts.get(accountId)?.name ?? null)

/**
 * The exchange of a payment: how many units of `to`, which the payer paid in, one unit of `from`
 * bought. Null when nothing was exchanged.
 */
export function exchangeOf({ payerCurrency, feeCurrency, fxRate }: Execution) {
  if (payerCurrency === feeCurrency) return null
  return { from: feeCurrency, to: payerCurrency, rate: fxRate ?? null }
}
