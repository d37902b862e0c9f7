/** What a payment would cost whom; `core/quote.ts` makes it. */
import { z } from "zod"
import { FEE_BEARERS } from "../operation"
import { number, type Output, text, time } from "./shapes"

/** A quote as an admin gets it: amounts are numbers in major units, an absent one is null. */
export const quote = z.strictObject({
  payer_amount: number,
  payer_currency: text,
  payee_amount: number,
  payee_currency: text,
  platform_fee: number.nullable(),
  gateway_fee: number.nullable(),
  fx_fee: number.nullable(),
  /** Null while the account leaves it to the gateway, whose choice is not known beforehand. */
  fee_bearer: z.enum(FEE_BEARERS).nullable(),
  /**
   * The least that the operator takes in one payment, in the payer's currency, from the words of a
   * recent refusal; null where it said nothing. For display only: no payment is refused by it,
   * because the operator may take another amount today.
   */
  least: number.nullable(),
  /** The most, as `least`. */
  most: number.nullable(),
  /** ISO 8601, UTC. */
  expires_at: time,
})
export type Quote = Output<typeof quote>

/** What a shopper is told: what the payer pays, and nothing of what the shop gets and is charged. */
export const shopperQuote = z.strictObject({
  ...quote.pick({ payer_amount: true, payer_currency: true }).shape,
  /**
   * The least that the operator takes in one payment, in the payer's currency, from the words of a
   * recent refusal; null where it said nothing. For display only: no payment is refused by it.
   */
  least: quote.shape.least,
  /** The most, as `least`. */
  most: quote.shape.most,
  /** ISO 8601, UTC. */
  expires_at: quote.shape.expires_at,
})
export type ShopperQuote = Output<typeof shopperQuote>
