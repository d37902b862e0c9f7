/** The receipt of a payment, for printing. */
import { z } from "zod"
import { figures } from "../../core/schemas/figures"
import { number, type Output, text, time } from "../../core/schemas/shapes"

const receiptLine = z.strictObject({
  name: text,
  quantity: number,
  /** The price of all pieces together. */
  amount: number,
})

/** All keys are always there. Amounts are JSON numbers in major units. */
export const receipt = z.strictObject({
  /** The gateway's number of the receipt. */
  number: text,
  paid_at: time.nullable(),
  order_id: text.nullable(),
  currency: text,
  total: number,
  lines: z.array(receiptLine),
  /** The fee on top of the total; null if the store bears it, or unknown. */
  payer_fee: number.nullable(),
  /** What the shop accepted beyond its total; null: nothing. */
  beyond_amount: number.nullable(),
  payer_amount: number.nullable(),
  payer_currency: text.nullable(),
  exchange_rate: number.nullable(),
  exchange_from: text.nullable(),
  exchange_to: text.nullable(),
  payment_method: text.nullable(),
  /** The payment method's name for people; null: not known. */
  method_label: text.nullable(),
  carrier: text.nullable(),
  /** The last digits of the number that paid. */
  phone_hint: text.nullable(),
  transaction_id: text.nullable(),
  /** The gateway's page that shows the receipt. */
  link: text.nullable(),
})
export type ReceiptResponse = Output<typeof receipt>

/** As {@link ReceiptResponse}, with fields that only the store may see. */
const adminReceipt = z.strictObject({
  ...receipt.shape,
  operation_id: text,
  fetched_at: time,
  figures,
})
export type AdminReceiptResponse = Output<typeof adminReceipt>

export const shopperReceiptResponse = z.strictObject({ receipt })
export const adminReceiptResponse = z.strictObject({ receipt: adminReceipt })
