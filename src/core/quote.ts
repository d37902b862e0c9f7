/** What a payment would cost whom, as the gateway predicts it; not binding (contract, 8). */
import { LIMITS } from "./limits"
import { majorNumber, moneyFromMajor, sameMoney, type Money } from "./money"
import type { FeeBearer } from "./operation"

type Prediction = {
  readonly payerAmount: Money
  readonly payeeAmount: Money
  readonly platformFee?: Money | undefined
  readonly gatewayFee?: Money | undefined
  /** Decimal text in major units; the gateway names no currency for it. */
  readonly fxFee?: string | undefined
}

/** A quote as an admin gets it: amounts are numbers in major units, an absent one is null. */
export type Quote = {
  readonly payer_amount: number
  readonly payer_currency: string
  readonly payee_amount: number
  readonly payee_currency: string
  readonly platform_fee: number | null
  readonly gateway_fee: number | null
  readonly fx_fee: number | null
  /** Null while the account leaves it to the gateway, whose choice is not known beforehand. */
  readonly fee_bearer: FeeBearer | null
  /**
   * The least and the most that the operator takes in one payment, in the payer's currency, from
   * the words of a recent refusal; null where it said nothing. For display only: no payment is
   * refused by them, because the operator may take another amount today.
   */
  readonly least: number | null
  readonly most: number | null
  /** ISO 8601, UTC. */
  readonly expires_at: string
}

/** What a shopper is told: what the payer pays, and nothing of what the shop gets and is charged. */
export type ShopperQuote = Pick<
  Quote,
  "payer_amount" | "payer_currency" | "least" | "most" | "expires_at"
>

/** Each figure is named here, so that a new one does not reach shoppers just by being there. */
export function shopperQuote(quote: Quote): ShopperQuote {
  const { payer_amount, payer_currency, least, most, expires_at } = quote
  return { payer_amount, payer_currency, least, most, expires_at }
}

/**
 * @param expected in major units of the currency the payer pays in, as the shopper was shown it
 * @returns whether the payer would be charged something else now; a difference below the currency's
 *   smallest unit is none
 */
export function isQuoteChanged(expected: number, { payerAmount }: Prediction): boolean {
  const shown = moneyFromMajor(expected, payerAmount.currency)
  return !shown || !sameMoney(shown, payerAmount)
}

export function quoteOf(
  { payerAmount, payeeAmount, platformFee, gatewayFee, fxFee }: Prediction,
  feeBearer: FeeBearer | null,
  now: Date,
  { least, most }: Pick<Quote, "least" | "most"> = { least: null, most: null },
): Quote {
  return {
    payer_amount: majorNumber(payerAmount),
    payer_currency: payerAmount.currency,
    payee_amount: majorNumber(payeeAmount),
    payee_currency: payeeAmount.currency,
    platform_fee: platformFee ? majorNumber(platformFee) : null,
    gateway_fee: gatewayFee ? majorNumber(gatewayFee) : null,
    fx_fee: fxFee === undefined ? null : Number(fxFee),
    fee_bearer: feeBearer,
    least,
    most,
    expires_at: new Date(now.getTime() + LIMITS.quoteShownMs).toISOString(),
  }
}
