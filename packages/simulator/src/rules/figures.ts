/**
 * What payer and merchant end up with (specification, "Execution response"; contract notes, section
 * 8). `PAYER`: fees on top of the total. `PAYEE`: fees off what the merchant gets. Predictions and
 * executions share this function.
 */
import { shareOf, type Currency, type Money } from "../money"
import type { FeeBearer, OperationType } from "../book/records"
import type { World } from "../world"
import type { Exchange } from "./exchange"
import { DEFAULT_TIER, feeRatesOf, tierOf, type FeeRates } from "./fees"

export type Figures = {
  payer: Money
  payee: Money
  /** In the source's currency. */
  platformFeeMinor: number
  gatewayFeeMinor: number
  /** In the payer's currency, part of what the payer pays; 0 without an exchange. */
  fxFeeMinor: number
  /** Units of the payer's currency for one of the source's; null without an exchange. */
  fxRate: string | null
}

/** What is to be paid, and by which method. */
export type Bill = {
  total: Money
  payerCurrency: Currency
  feeBearer: FeeBearer
  method: string
  operationType: OperationType
}

/**
 * Figures of a bill, priced with the merchant's tier, or with the default tier if the owner is
 * null.
 */
export function priced(world: World, ownerId: number | null, bill: Bill): Figures {
  const tier = ownerId === null ? DEFAULT_TIER : tierOf(world, ownerId)
  return figuresOf(bill, feeRatesOf(tier, bill.operationType, bill.method), world.exchange)
}

export function figuresOf(
  { total, payerCurrency, feeBearer }: Omit<Bill, "method" | "operationType">,
  rates: FeeRates,
  exchange: Pick<Exchange, "exchanged" | "rateText">,
): Figures {
  const platformFeeMinor = shareOf(total.minor, rates.platformBasisPoints)
  const gatewayFeeMinor = shareOf(total.minor, rates.gatewayBasisPoints)
  const fees = platformFeeMinor + gatewayFeeMinor
  const { currency } = total
  const billed = { currency, minor: total.minor + (feeBearer === "PAYER" ? fees : 0) }
  const payee = { currency, minor: total.minor - (feeBearer === "PAYEE" ? fees : 0) }
  const paid = exchange.exchanged(billed, payerCurrency)
  const isExchanged = payerCurrency !== currency
  const fxFeeMinor = isExchanged ? shareOf(paid.minor, rates.exchangeBasisPoints) : 0
  return {
    payer: { currency: payerCurrency, minor: paid.minor + fxFeeMinor },
    payee,
    platformFeeMinor,
    gatewayFeeMinor,
    fxFeeMinor,
    fxRate: isExchanged ? exchange.rateText(currency, payerCurrency) : null,
  }
}
