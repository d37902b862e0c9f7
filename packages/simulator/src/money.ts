/**
 * Exact amounts. The book holds whole numbers of the smallest unit; the wire holds JSON numbers in
 * major units (contract notes, section 8), read through their decimal text so that 19.99 is exactly
 * 1999. `markets.ts` has the currencies that the simulator knows.
 */
import { CURRENCIES, CURRENCY_FACTS, type Currency } from "./markets"

export { CURRENCIES, type Currency }

/** A whole number of the smallest unit of `currency`, always a safe integer. */
export type Money = { readonly minor: number; readonly currency: Currency }

const BASIS_POINTS = 10_000n

export const isCurrency = (code: string): code is Currency => Object.hasOwn(CURRENCY_FACTS, code)

/**
 * A wire amount in the smallest unit. Null if the currency can't express it exactly, if it is below
 * one unit, or if it is too large to be exact.
 */
export function minorFromWire(amount: number, currency: Currency): number | null {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(String(amount))
  if (!match) return null
  const { digits } = CURRENCY_FACTS[currency]
  const fraction = match[2] ?? ""
  if (fraction.length > digits) return null
  const minor = Number(`${match[1]}${fraction.padEnd(digits, "0")}`)
  return Number.isSafeInteger(minor) && minor >= 1 ? minor : null
}

/** The same amount as a decimal text, with the digits of its currency: `"19.90"`, `"2500"`. */
export function decimalText({ minor, currency }: Money): string {
  const { digits } = CURRENCY_FACTS[currency]
  if (digits === 0) return String(minor)
  const sign = minor < 0 ? "-" : ""
  const text = String(Math.abs(minor)).padStart(digits + 1, "0")
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** The JSON number of an amount: major units. */
export const wireAmount = (money: Money): number => Number(decimalText(money))

/** One major unit ("1.00") in the smallest unit of the currency. */
export const oneMajorUnit = (currency: Currency): number => 10 ** CURRENCY_FACTS[currency].digits

/** A quotient rounded half up to a whole number. */
export const dividedHalfUp = (numerator: bigint, denominator: bigint): number =>
  Number((2n * numerator + denominator) / (2n * denominator))

/** A share of an amount in basis points (100 = 1%), rounded half up to the smallest unit. */
export const shareOf = (minor: number, basisPoints: number): number =>
  dividedHalfUp(BigInt(minor) * BigInt(basisPoints), BASIS_POINTS)
