/**
 * The payment link of an order, for the admin. Amounts are in major units, times in ISO 8601 UTC,
 * and absent values are null.
 */
import { z } from "zod"
import { refusalResponse } from "../../core/schemas/refusal"
import { number, type Output, phone, text, time } from "../../core/schemas/shapes"

/**
 * `being_made`: it can't be paid yet · `open`: it can be paid · `being_paid`: a payer is paying ·
 * `closing`: it is being closed · `processing`: paid, not yet recorded in Medusa · `paid`: recorded
 * · `closed`: it ended without money · `under_review`: an admin decides about its money
 */
export const linkState = z.enum([
  "being_made",
  "open",
  "being_paid",
  "closing",
  "processing",
  "paid",
  "closed",
  "under_review",
])
export type LinkState = Output<typeof linkState>

export const paymentLink = z.strictObject({
  operation_id: text,
  state: linkState,
  /** The address of the payment page, only while it can be paid. */
  url: text.nullable(),
  amount: number,
  currency: text,
  expires_at: time,
  /** Why the link ended: the same code as in STATUS. */
  reason: text.nullable(),
  made_by: text.nullable(),
  created_at: time,
})
export type PaymentLink = Output<typeof paymentLink>

export const paymentLinkResponse = z.strictObject({
  /** The order's live link, else the last one; null: none was ever made. */
  payment_link: paymentLink.nullable(),
  /** What the order still asks for; null: nothing. */
  open_amount: number.nullable(),
  currency: text,
  /** Why no link can be made just now; null: one can, or the live one is given back. */
  why_not: refusalResponse.nullable(),
})
export type PaymentLinkResponse = Output<typeof paymentLinkResponse>

/** The phone of the payer, for an order that has none. */
const askedPhone = phone.trim().min(1)
export const paymentLinkBody = z.strictObject({ phone: askedPhone.nullish() })
export const promptBody = z.strictObject({ phone: askedPhone })
