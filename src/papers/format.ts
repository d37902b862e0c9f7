/** Numbers and times as a reader of each language writes them. */
import { currencyDigits } from "../core/markets"
import type { Amount } from "./rules/exact-rows"
import type { PaperLanguage } from "./words"

/** The most that every version of Intl formats; no amount has as many. */
const DIGITS_MAX = 20

/**
 * The currency stands as its code, because `$` means several of them. Each digit of the amount is
 * there, and no float takes part.
 */
export function moneyText({ value, currency }: Amount, language: PaperLanguage): string {
  const digits = currencyDigits(currency)
  const format = new Intl.NumberFormat(language, {
    style: "currency",
    currency,
    currencyDisplay: "code",
    minimumFractionDigits: digits,
    maximumFractionDigits: Math.max(digits, digitsOf(value)),
  })
  return format.format(asNumber(value))
}

export function numberText(value: string, language: PaperLanguage): string {
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: digitsOf(value) })
  return format.format(asNumber(value))
}

/** Intl formats decimal text digit by digit; the types of this version know numbers only. */
const asNumber = (value: string) => value as unknown as number

const digitsOf = (value: string) => Math.min(value.split(".")[1]?.length ?? 0, DIGITS_MAX)

/** In the shop's time zone, which the text names: a reader may be in another. */
export function timeText(
  iso: string,
  { language, timeZone }: { readonly language: PaperLanguage; readonly timeZone: string },
): string {
  const format = new Intl.DateTimeFormat(language, {
    year: "numeric",
    month: "long",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
    timeZone,
  })
  return format.format(new Date(iso))
}

/** In English where Intl has no name in the language, as for some countries in Kinyarwanda. */
export function countryText(country: string, language: PaperLanguage): string {
  if (!/^[A-Z]{2}$/.test(country)) return country
  const nameIn = (locale: PaperLanguage) => new Intl.DisplayNames(locale, { type: "region" })
  const name = nameIn(language).of(country)
  return (name === country ? nameIn("en").of(country) : name) ?? country
}
