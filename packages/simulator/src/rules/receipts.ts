/**
 * A receipt (specification, "Invoice receipt"): the document and the payment that paid it, with
 * that payment's figures. There is none before the payment.
 */
import type { Document, Execution } from "../book/records"
import { notFound, wrongState } from "../problem"
import type { World } from "../world"
import { stateOf } from "./documents"
import { reachedMs } from "./timeline"

export type Payment = { execution: Execution; paidAtMs: number }

/** The payment that made the source `PAID`: the first to complete. Null if it is not `PAID`. */
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

/** The name of the payer's account, if the merchant registered one. */
export const accountNameOf = (world: World, { accountId }: Execution): string | null =>
  accountId === null ? null : (world.book.accounts.get(accountId)?.name ?? null)

/**
 * The exchange of a payment: how many units of `to`, the payer's currency, one unit of `from`
 * bought. Null without an exchange.
 */
export function exchangeOf({ payerCurrency, feeCurrency, fxRate }: Execution) {
  if (payerCurrency === feeCurrency) return null
  return { from: feeCurrency, to: payerCurrency, rate: fxRate ?? null }
}
