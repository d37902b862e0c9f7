/** What a payment was worth to each side; `core/figures.ts` says how it is known. */
import { z } from "zod"
import { number, type Output, text } from "./shapes"

/**
 * What a payment was worth to each side, as far as the gateway has said: for people to read, never
 * to decide by. All amounts are JSON numbers in major units. What is not known is null, never 0 and
 * never a guess about who bears the fees or in which currency a number counts. Money that has not
 * moved is null, too; while it still can move, fields of their own have the expected amounts.
 */

export const figures = z.strictObject({
  /** The currency of `gross`, `fee` and `net`: the operation's own. */
  currency: text,
  /** What was collected, before fees; of other types of money the amount. Null: nothing moved. */
  gross: number.nullable(),
  /** Platform and gateway fee together, borne by payer or shop; the exchange is not in it. */
  fee: number.nullable(),
  /** What the shop gets; below zero where the operator took the payment back and left a fee. */
  net: number.nullable(),
  fee_bearer: text.nullable(),
  platform_fee: number.nullable(),
  gateway_fee: number.nullable(),
  fx_fee: number.nullable(),
  /** What the customer paid, in the currency that was paid in. */
  payer_amount: number.nullable(),
  payer_currency: text.nullable(),
  /** What the customer was shown before paying, in `payer_currency`. */
  quoted_payer_amount: number.nullable(),
  /** What the shop gets as the gateway wrote it, in whatever currency. */
  payee_amount: number.nullable(),
  payee_currency: text.nullable(),
  exchange_rate: number.nullable(),
  exchange_from: text.nullable(),
  exchange_to: text.nullable(),
  /** As `payer_amount` and `payee_amount`, of a payment under way; null once it has ended. */
  expected_payer_amount: number.nullable(),
  expected_payee_amount: number.nullable(),
})
export type Figures = Output<typeof figures>
