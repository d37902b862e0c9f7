/** What a payment would cost whom, as the gateway predicts it; not binding (contract, 8). */
import { LIMITS } from "./limits"
import { majorNumber, moneyFromMajor, sameMoney, type Money } from "./money"
import type { FeeBearer } from "./operation"
import type { Quote, ShopperQuote } from "./schemas/quote"

type Prediction = {
  readonly payerAmount: Money
  readonly payeeAmount: Money
  readonly platformFee?: Money | undefined
  readonly gatewayFee?: Money | undefined
  /** Decimal text in major units; the gateway names no currency for it. */
  readonly fxFee?: string | undefined
}

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
