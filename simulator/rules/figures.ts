/**
 * What payer and merchant end up with (specification, "Execution response"; contract notes, section
 * 8). `PAYER`: fees on top of the total. `PAYEE`: fees off what the merchant gets. The rates are
 * made up.
 */
import { exchanged, shareOf, type Currency, type Money } from "../money"
import type { FeeBearer } from "../book/records"

const PLATFORM_BASIS_POINTS = 100
const MOBILE_MONEY_BASIS_POINTS = 150
const CARD_BASIS_POINTS = 290
const EXCHANGE_BASIS_POINTS = 100

export type Figures = {
  payer: Money
  payee: Money
  /** In the source's currency. */
  platformFeeMinor: number
  gatewayFeeMinor: number
  /** In the payer's currency, already part of what the payer pays; 0 without an exchange. */
  fxFeeMinor: number
}

/** Figures of a source's total, paid in `payerCurrency`. */
export function figuresOf(
  total: Money,
  payerCurrency: Currency,
  feeBearer: FeeBearer,
  method: string,
): Figures {
  const gatewayRate = method === "CREDIT_CARD" ? CARD_BASIS_POINTS : MOBILE_MONEY_BASIS_POINTS
  const platformFeeMinor = shareOf(total.minor, PLATFORM_BASIS_POINTS)
  const gatewayFeeMinor = shareOf(total.minor, gatewayRate)
  const fees = platformFeeMinor + gatewayFeeMinor
  const { currency } = total
  const billed = { currency, minor: total.minor + (feeBearer === "PAYER" ? fees : 0) }
  const payee = { currency, minor: total.minor - (feeBearer === "PAYEE" ? fees : 0) }
  const paid = exchanged(billed, payerCurrency)
  const fxFeeMinor = payerCurrency === currency ? 0 : shareOf(paid.minor, EXCHANGE_BASIS_POINTS)
  return {
    payer: { currency: payerCurrency, minor: paid.minor + fxFeeMinor },
    payee,
    platformFeeMinor,
    gatewayFeeMinor,
    fxFeeMinor,
  }
}
