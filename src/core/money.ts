/** Exact amounts, by the client's arithmetic, beside amounts as Medusa writes them. */
import { moneyFromMajor, parseCurrency, type Money } from "../../packages/gateway/src/terms/money"

export * from "../../packages/gateway/src/terms/money"

/** Whether an amount as Medusa writes it, in major units and not rounded, is this money. */
export function isMajorOf(
  money: Money,
  major: { readonly amount: string; readonly currency: string },
): boolean {
  const { currency } = money
  if (major.currency.toUpperCase() !== currency) return false
  return moneyFromMajor(major.amount, currency)?.minor === money.minor
}

/** An amount of Medusa's that no payer can pay, because its currency has no such small unit. */
export function isBelowSmallestUnit(major: {
  readonly amount: string
  readonly currency: string
}): boolean {
  const currency = parseCurrency(major.currency)
  return currency !== undefined && moneyFromMajor(major.amount, currency)?.minor === 0n
}
