/**
 * A payment as the shop's own code reads it, through `query.graph` or `findPayments`: what a line of
 * the admin's list shows, without the customer. The fields are a public interface;
 * docs/shop-code.md lists them. Amounts are numbers in major units, currencies upper case, times
 * ISO 8601 in UTC; absent is null.
 */
import { z } from "zod"
import { FLOW_NAMES, STATES } from "../operation"
import { figures } from "./figures"
import { number, type Output, text, time } from "./shapes"

export const operationReason = z.strictObject({
  code: text,
  /** What the gateway wrote, where the code is `unknown`; null: nothing, or the code says it. */
  said: text.nullable(),
  /** The code in English, and what to do. */
  en: text,
})
export type OperationReason = Output<typeof operationReason>

/** `stray_order`: Medusa made a second order for the purchase, which nobody pays. */
const attention = z.enum([
  "review",
  "contradicted",
  "refund_failed",
  "order_canceled",
  "stray_order",
])

export const merchantPayment = z.strictObject({
  id: text,
  state: z.enum(STATES),
  /** Why the payment is listed for an admin; null: it is not. */
  attention: attention.nullable(),
  reason: operationReason.nullable(),
  /** Whether the money came beside another payment of the same cart or order. */
  is_duplicate: z.boolean(),
  flow: z.enum(FLOW_NAMES),
  account_id: text,
  provider_id: text,
  payment_collection_id: text,
  payment_session_id: text,
  cart_id: text.nullable(),
  order_id: text.nullable(),
  /** The order's number as people write it, without `#`. */
  order_number: text.nullable(),
  amount: number,
  currency: text,
  collected_amount: number.nullable(),
  /** The part of the collected amount that the gateway said went back. */
  refunded_amount: number,
  /** The amount that is on its way back, or whose end is not known. */
  refund_pending_amount: number,
  /** What the payment was worth to each side, as far as the gateway has said. */
  figures,
  operator: z
    .strictObject({
      payment_method: text,
      /** The operator's name; null where it is not known. */
      label: text.nullable(),
      carrier: text.nullable(),
    })
    .nullable(),
  /** The last three digits of the phone number. */
  phone_hint: text.nullable(),
  reference: text.nullable(),
  provider_transaction_id: text.nullable(),
  source_number: text.nullable(),
  created_at: time,
  checked_at: time.nullable(),
  /** When the gateway first confirmed the money, whatever an admin decided about it later. */
  money_at: time.nullable(),
  recorded_at: time.nullable(),
  returned_at: time.nullable(),
  /** When its operator took the recorded money back. */
  taken_back_at: time.nullable(),
  dismissed_at: time.nullable(),
})
export type MerchantPayment = Output<typeof merchantPayment>
