/**
 * The receipt of a payment, for printing: kept as the gateway gave it, but without name, phone
 * number and address. The last three digits of the operation's number show who paid. What shopper
 * and admin see is made from the receipt and the operation each time.
 */
import { figuresOf, payerFeeOf } from "../../core/figures"
import { majorNumber, majorText, type Money } from "../../core/money"
import type { Operation } from "../../core/operation"
import { payerHint } from "../../core/payer-hint"
import { beyondAmountOf } from "../../core/recorded"
import type { Moment } from "../../core/said/texts"
import type { KeptReceipt } from "../schemas/stored-receipt"
import type { ReceiptResponse, AdminReceiptResponse } from "../schemas/receipts"

/** Whether a payment has a receipt: once it is paid and recorded, even after a full refund. */
export function hasReceipt({ type, state, recordedAt, returnedAt }: Operation): boolean {
  return (
    type === "COLLECTION" && state === "completed" && (recordedAt !== null || returnedAt !== null)
  )
}

export type FetchedReceipt = { readonly receipt: KeptReceipt; readonly fetchedAt: Date }

type LabelOf = (method: string | null) => string | null

export function shopperReceipt(
  operation: Operation,
  { receipt }: FetchedReceipt,
  labelOf: LabelOf = () => null,
): ReceiptResponse {
  const figures = figuresOf(operation)
  const beyond = beyondAmountOf(operation)
  const paymentMethod = operation.paymentMethod ?? receipt.paymentMethod
  return {
    number: receipt.number,
    paid_at: receipt.paidAt,
    order_id: operation.orderId,
    currency: receipt.currency,
    total: Number(receipt.total),
    lines: linesOf(operation, receipt),
    payer_fee: payerFeeOf(operation, receipt.feeBearer),
    beyond_amount: beyond && majorNumber(beyond),
    payer_amount: figures.payer_amount,
    payer_currency: figures.payer_currency,
    exchange_rate: figures.exchange_rate,
    exchange_from: figures.exchange_from,
    exchange_to: figures.exchange_to,
    payment_method: paymentMethod,
    method_label: labelOf(paymentMethod),
    carrier: operation.carrier,
    phone_hint: payerHint(operation),
    transaction_id: receipt.transactionId,
    link: receipt.link,
  }
}

export function adminReceipt(
  operation: Operation,
  fetched: FetchedReceipt,
  labelOf: LabelOf,
): AdminReceiptResponse {
  const figures = figuresOf(operation)
  return {
    ...shopperReceipt(operation, fetched, labelOf),
    operation_id: operation.id,
    fetched_at: fetched.fetchedAt.toISOString(),
    figures: { ...figures, fee_bearer: fetched.receipt.feeBearer ?? figures.fee_bearer },
  }
}

/** The lines on the gateway's receipt; without any, the lines that were sent to the gateway. */
function linesOf(operation: Operation, { lines }: KeptReceipt): ReceiptResponse["lines"] {
  const kept = lines?.map(({ name, quantity, unitAmount }) => ({
    name,
    quantity,
    amount: timesMajor(unitAmount, quantity),
  }))
  if (kept) return kept
  return operation.lines.map(({ name, quantity, amount }) => ({
    name,
    quantity,
    amount: majorNumber(amount),
  }))
}

/** Multiplies exactly, in the text's own digits. The quantity is whole, as always on the wire. */
function timesMajor(unit: string, quantity: number): number {
  const [whole = "0", fraction = ""] = unit.split(".")
  const units = BigInt(whole + fraction) * BigInt(Math.trunc(quantity))
  return Number(`${units}e-${fraction.length}`)
}

/** Whether the receipt is this payment's: one with another total belongs to another payment. */
export function isReceiptOf(
  operation: Pick<Operation, "amount" | "collected">,
  total: Money,
): boolean {
  const { collected, amount } = operation
  return majorText(total) === majorText(collected ?? amount) && total.currency === amount.currency
}

/** The moment in ISO 8601 and UTC, whatever offset the text has; null: the text is no date. */
export function isoMoment(text: string | undefined): Moment | null {
  const ms = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(ms) ? null : (new Date(ms).toISOString() as Moment)
}
