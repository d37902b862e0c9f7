/**
 * Amounts and currencies of requests. An amount stays exact from the caller to the wire: it is a
 * whole number of smallest units, or decimal text. An amount that can't be paid exactly is refused,
 * never rounded (contract, 8).
 */
import { z } from "zod"
import type { CurrencyCode, Money } from "../terms/money"
import {
  exactMoneyFromMajor,
  isPayable,
  majorNumber,
  majorText,
  parseCurrency,
} from "../terms/money"

/** ISO 4217, three upper case letters. The gateway's own list is not documented. */
export type Currency = CurrencyCode | Uppercase<string>

/** An amount in major units: `{ major: "42.50", currency: "USD" }`. */
export type MajorAmount = {
  /** Plain decimal text, with no more digits after the point than the currency has. */
  readonly major: string
  readonly currency: Currency
}

/** An amount to ask for: at least one smallest unit of the currency. */
export type Amount = Money | MajorAmount

const EXPECTED = "an amount with its currency, as { major, currency }"
const TOO_SMALL = "an amount of at least one smallest unit"
const PLAIN_DECIMAL = /^\d+(\.\d+)?$/

/** Refuses a value that is no amount, zero, negative, like `1e3`, or finer than its currency. */
export const payableField = z.custom<Amount>().superRefine((value: unknown, context) => {
  const message = problemWith(value)
  if (message !== undefined) context.addIssue({ code: "custom", message, continue: false })
})

export const currencyField = z.custom<Currency>(
  (value) => typeof value === "string" && /^[A-Z]{3}$/.test(value),
  "three upper case letters",
)

/** @param amount one that {@link payableField} has accepted */
export function moneyOf(amount: Amount): Money {
  if ("minor" in amount) return amount
  const currency = parseCurrency(amount.currency)
  const money = currency && exactMoneyFromMajor(amount.major, currency)
  if (!money) throw new RangeError("The amount was not checked before it was used.")
  return money
}

/** The JSON number of the wire, in major units. */
export const wireAmount = (amount: Amount): number => majorNumber(moneyOf(amount))

/** The two fields of a body that hold an amount. */
export const wireMoney = (amount: Amount) => ({
  amount: wireAmount(amount),
  currency: amount.currency,
})

function problemWith(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("currency" in value)) {
    return EXPECTED
  }
  const currency = parseCurrency(value.currency)
  if (currency === undefined || currency !== value.currency) return "three upper case letters"
  // `moneyOf` also checks `minor` first, so that the checked amount is the one that is sent.
  const money = "minor" in value ? readMinor(value.minor, currency) : readMajor(value, currency)
  if (typeof money === "string") return money
  return isPayable(money) ? undefined : TOO_SMALL
}

function readMinor(minor: unknown, currency: CurrencyCode): Money | string {
  if (typeof minor !== "bigint") return EXPECTED
  const money: Money = { minor, currency }
  if (!isPayable(money)) return TOO_SMALL
  // A JSON number keeps only a limited number of digits, so a longer amount would be changed.
  return exactMoneyFromMajor(majorText(money), currency) ?? "more digits than the wire can carry"
}

function readMajor(value: object, currency: CurrencyCode): Money | string {
  const major = "major" in value ? value.major : undefined
  if (major === undefined) return EXPECTED
  if (typeof major !== "string" || !PLAIN_DECIMAL.test(major)) return "plain decimal text"
  return exactMoneyFromMajor(major, currency) ?? `more digits than an amount in ${currency} has`
}
