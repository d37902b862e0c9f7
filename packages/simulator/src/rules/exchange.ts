/**
 * Every exchange rate of the simulator. Each start begins with those of `markets.ts`. A
 * control may change them while it runs. Completed payments keep the rate that they were paid at.
 *
 * Rates are kept per dollar; a rate between two other currencies follows from both of theirs.
 */
import { WrongControl } from "../control/wrong-control"
import { CURRENCIES, CURRENCY_FACTS } from "../markets"
import { dividedHalfUp, oneMajorUnit, type Currency, type Money } from "../money"

/** How many major units one US dollar buys. */
export type PerDollar = Readonly<Record<Currency, number>>

export const FIRST_RATES = Object.fromEntries(
  CURRENCIES.map((currency) => [currency, CURRENCY_FACTS[currency].perDollar]),
) as PerDollar

export type Exchange = {
  perDollar(): PerDollar
  /** Throws a sentence for the dollar itself and for a rate that is not a positive decimal. */
  set(currency: Currency, perDollar: number): void
  /** The amount in another currency, rounded half up, at least one smallest unit. */
  exchanged(money: Money, to: Currency): Money
  /** How many major units of `to` one of `from` buys: `"190"`, `"0.0052631579"`. */
  rateText(from: Currency, to: Currency): string
}

/** Rates are kept exactly, with this many decimals. */
const RATE_DECIMALS = 4
/** A higher rate is taken for a typing error. */
const HIGHEST_RATE = 100_000
const TEXT_DECIMALS = 10

export function createExchange(): Exchange {
  let rates = FIRST_RATES
  const scaled = (currency: Currency) => scaledRate(rates[currency]) ?? 1n
  return {
    perDollar: () => rates,
    set(currency, perDollar) {
      if (currency === "USD")
        throw new WrongControl("The rate of USD is 1: the others are given in it.")
      if (scaledRate(perDollar) === null) {
        throw new WrongControl(
          `${perDollar} is no rate: above 0, at most 100000, with up to 4 decimals.`,
        )
      }
      rates = { ...rates, [currency]: perDollar }
    },
    exchanged({ minor, currency }, to) {
      if (currency === to) return { minor, currency }
      const numerator = BigInt(minor) * scaled(to) * BigInt(oneMajorUnit(to))
      const denominator = scaled(currency) * BigInt(oneMajorUnit(currency))
      return { minor: Math.max(1, dividedHalfUp(numerator, denominator)), currency: to }
    },
    rateText(from, to) {
      const one = 10n ** BigInt(TEXT_DECIMALS)
      const text = String(dividedHalfUp(scaled(to) * one, scaled(from)))
      const digits = text.padStart(TEXT_DECIMALS + 1, "0")
      const fraction = digits.slice(-TEXT_DECIMALS).replace(/0+$/, "")
      return `${digits.slice(0, -TEXT_DECIMALS)}${fraction && `.${fraction}`}`
    },
  }
}

/** Ten-thousandths, or null if it is not a rate. */
function scaledRate(rate: number): bigint | null {
  const match = /^(\d+)(?:\.(\d{1,4}))?$/.exec(String(rate))
  if (!match) return null
  const scaled = BigInt(`${match[1]}${(match[2] ?? "").padEnd(RATE_DECIMALS, "0")}`)
  return scaled > 0n && rate <= HIGHEST_RATE ? scaled : null
}
