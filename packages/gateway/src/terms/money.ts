/**
 * Exact amounts. The gateway uses major units as JSON numbers (predictions: as text); Medusa has
 * `BigNumber`s that it never rounds (3 × 19.99 + 2 with 7.5% tax is 66.61775 USD). Only this file
 * rounds, once and half up, from the exact decimal text; no float takes part (contract, 8).
 */
import { currencyDigits } from "./markets"
import type { DecimalText } from "./texts"

declare const currencyBrand: unique symbol

/** A named type, so that types inferred from it can be declared. */
export interface CurrencyBrand {
  readonly [currencyBrand]: true
}

/** Three upper case letters, ISO 4217. */
export type CurrencyCode = string & CurrencyBrand

/** An exact amount in its currency's smallest unit. Never a float, never without its currency. */
export type Money = { readonly minor: bigint; readonly currency: CurrencyCode }

/** More digits than any real amount has; keeps `1e400` from becoming a huge bigint. */
const LONGEST_AMOUNT_TEXT = 64
/** 10^15 smallest units: far above any cart, and the most that a JSON number represents exactly. */
const LARGEST_MINOR = 1_000_000_000_000_000n

/** The currency code in upper case, or undefined when the text is not three letters. */
export function parseCurrency(text: unknown): CurrencyCode | undefined {
  if (typeof text !== "string" || !/^[A-Za-z]{3}$/.test(text)) return undefined
  return text.toUpperCase() as CurrencyCode
}

/**
 * Reads an amount in major units, a JSON number or decimal text, and rounds it half up to the
 * currency's digits. Undefined for anything that is not a plain finite amount of at least zero.
 *
 * @param amount `66.61775`, `"66.61775"`, `"1e3"` (as a number prints), never a localized text
 */
export function moneyFromMajor(amount: unknown, currency: CurrencyCode): Money | undefined {
  const parts = decimalParts(amount)
  return parts && rounded(parts, currency)
}

/**
 * Like {@link moneyFromMajor}, but undefined if the amount has more digits than its currency: the
 * gateway's answer is compared, and must not be rounded into being equal.
 */
export function exactMoneyFromMajor(amount: unknown, currency: CurrencyCode): Money | undefined {
  const parts = decimalParts(amount)
  if (!parts) return undefined
  const excess = parts.scale - currencyDigits(currency)
  if (excess > 0 && parts.units % powerOfTen(excess) !== 0n) return undefined
  return rounded(parts, currency)
}

/**
 * Like {@link exactMoneyFromMajor}, without the noise of a sum of floats: 69.97000000000001 is
 * 69.97. Noise is less than a thousandth of the smallest unit.
 */
export function moneyWithoutNoise(amount: unknown, currency: CurrencyCode): Money | undefined {
  const parts = decimalParts(amount)
  const money = parts && rounded(parts, currency)
  if (!money) return undefined
  const excess = parts.scale - currencyDigits(currency)
  if (excess <= 0) return money
  const off = parts.units - money.minor * powerOfTen(excess)
  const isNoise = (off < 0n ? -off : off) * 1_000n < powerOfTen(excess)
  return isNoise ? money : undefined
}

/** {@link moneyFromMajor}, with every digit as {@link decimalText} in addition. */
export function figureFromMajor(
  amount: unknown,
  currency: CurrencyCode,
): (Money & { readonly exact: DecimalText }) | undefined {
  const parts = decimalParts(amount)
  const money = parts && rounded(parts, currency)
  return money && { minor: money.minor, currency, exact: textOf(parts) as DecimalText }
}

/**
 * The amount as decimal text without an exponent, every digit kept: `"66.61775"`. Undefined for
 * what {@link moneyFromMajor} does not accept.
 */
export function decimalText(amount: unknown): string | undefined {
  const parts = decimalParts(amount)
  return parts && textOf(parts)
}

/**
 * The exact sum of amounts in major units, as {@link decimalText}; undefined if one is no amount.
 * Rounding each amount before adding would change the sum.
 */
export function decimalSum(amounts: readonly unknown[]): string | undefined {
  let sum: DecimalParts = { units: 0n, scale: 0 }
  for (const amount of amounts) {
    const parts = decimalParts(amount)
    if (!parts) return undefined
    const scale = Math.max(sum.scale, parts.scale)
    sum = { units: unitsAt(sum, scale) + unitsAt(parts, scale), scale }
  }
  return textOf(sum)
}

/**
 * Below zero, zero or above zero: `one` is less than, equal to or more than `other`; undefined if
 * one is no amount.
 */
export function compareDecimals(one: unknown, other: unknown): number | undefined {
  const [a, b] = [decimalParts(one), decimalParts(other)]
  if (!a || !b) return undefined
  const scale = Math.max(a.scale, b.scale)
  const [left, right] = [unitsAt(a, scale), unitsAt(b, scale)]
  return left < right ? -1 : left > right ? 1 : 0
}

/** Decimal text in major units with exactly the currency's digits: `"66.62"`, `"7666"`, `"-0.05"`. */
export function majorText(money: Money): DecimalText {
  return textOfMoney(money) as DecimalText
}

function textOfMoney({ minor, currency }: Money): string {
  if (minor < 0n) return `-${textOfMoney({ minor: -minor, currency })}`
  const digits = currencyDigits(currency)
  if (digits === 0) return minor.toString()
  const text = minor.toString().padStart(digits + 1, "0")
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** The JSON number in major units for the wire and for STATUS. Exact below 10^15 smallest units. */
export function majorNumber(money: Money): number {
  return Number(majorText(money))
}

export function sameMoney(a: Money, b: Money): boolean {
  return a.currency === b.currency && a.minor === b.minor
}

/** At least the smallest unit of the currency: 0.01 or, for integer currencies, 1. */
export function isPayable(money: Money): boolean {
  return money.minor > 0n
}

/** Whole units and a power of ten: 66.61775 is 6661775 × 10^-5. */
type DecimalParts = { readonly units: bigint; readonly scale: number }

function decimalParts(amount: unknown): DecimalParts | undefined {
  if (typeof amount !== "number" && typeof amount !== "string") return undefined
  const text = String(amount).trim()
  if (text.length > LONGEST_AMOUNT_TEXT) return undefined
  const match = /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,2}))?$/.exec(text)
  if (!match) return undefined
  const [, whole = "", fraction = "", exponent = "0"] = match
  const scale = fraction.length - Number(exponent)
  const units = BigInt(whole + fraction)
  return scale >= 0 ? { units, scale } : { units: units * powerOfTen(-scale), scale: 0 }
}

function unitsAt({ units, scale }: DecimalParts, wanted: number): bigint {
  return units * powerOfTen(wanted - scale)
}

function rounded({ units, scale }: DecimalParts, currency: CurrencyCode): Money | undefined {
  const excess = scale - currencyDigits(currency)
  const minor = excess > 0 ? halfUp(units, powerOfTen(excess)) : units * powerOfTen(-excess)
  return minor < LARGEST_MINOR ? { minor, currency } : undefined
}

function halfUp(units: bigint, divisor: bigint): bigint {
  const whole = units / divisor
  return (units % divisor) * 2n >= divisor ? whole + 1n : whole
}

function textOf({ units, scale }: DecimalParts): string {
  const text = units.toString().padStart(scale + 1, "0")
  return scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`
}

/** A table, because raising a bigint to a power costs more than the rest of the reading. */
const POWERS_OF_TEN: readonly bigint[] = Array.from({ length: 8 }, (_, n) => 10n ** BigInt(n))

function powerOfTen(n: number): bigint {
  return POWERS_OF_TEN[n] ?? 10n ** BigInt(n)
}
