/**
 * Amounts and currencies of requests. An amount is exact from the caller to the wire: either whole smallest
 * units, or decimal text. What can't be paid as it is, is refused and never rounded (contract, 8).
 */
import { z } from "zod"
import type { CurrencyCode, Money } from "../../core/money"
import { exactMoneyFromMajor, isPayable, majorNumber, parseCurrency } from "../../core/money"

/** ISO 4217, three upper case letters. The gateway's own list is not shown. */
export type Currency = CurrencyCode | Uppercase<string>

/** An amount in major units: `{ major: "42.50", currency: "USD" }`. */
export type MajorAmount = {
  /** Plain decimal text, with no more digits after the point than the currency has. */
  readonly major: string
  readonly currency: Currency
}

/** What may be asked for: at least one smallest unit of the currency. */
export type Amount = Money | MajorAmount

const PLAIN_DECIMAL = /^\d+(\.\d+)?$/

/** Refuses what is no amount, zero, negative, `1e3`, or finer than its currency. */
export const payableField = z.custom<Amount>().superRefine((value: unknown, context) => {
  const message = problemWith(value)
  if (message !== undefined) context.addIssue({ code: "custom", message, continue: false })
})

export const currencyField = z.custom<Currency>(
  (value) => typeof value === "string" && /^[A-Z]{3}$/.test(value),
  "three upper case letters",
)

/** Of an amount that {@link payableField} has let pass. */
export function moneyOf(amount: Amount): Money {
  if ("minor" in amount) return amount
  const currency = parseCurrency(amount.currency)
  const money = currency && exactMoneyFromMajor(amount.major, currency)
  if (!money) throw new RangeError("The amount was not checked before it was used.")
  return money
}

/** The JSON number of the wire, in major units. */
export const wireAmount = (amount: Amount): number => majorNumber(moneyOf(amount))

function problemWith(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("currency" in value)) {
    return "an amount with its currency, as { major, currency }"
  }
  const currency = parseCurrency(value.currency)
  if (currency === undefined || currency !== value.currency) return "three upper case letters"
  const money = "major" in value ? readMajor(value.major, currency) : readMinor(value, currency)
  if (typeof money === "string") return money
  return isPayable(money) ? undefined : "an amount of at least one smallest unit"
}

function readMajor(major: unknown, currency: CurrencyCode): Money | string {
  if (typeof major !== "string" || !PLAIN_DECIMAL.test(major)) return "plain decimal text"
  return exactMoneyFromMajor(major, currency) ?? `more digits than an amount in ${currency} has`
}

function readMinor(value: object, currency: CurrencyCode): Money | string {
  const minor = "minor" in value ? value.minor : undefined
  if (typeof minor !== "bigint") return "an amount with its currency, as { major, currency }"
  return { minor, currency }
}
