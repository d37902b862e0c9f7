/**
 * Formats exact amounts, which arrive as decimal text. No digit goes through a float. What went out
 * is below zero, and has its sign before the currency.
 */
import type { Language } from "../i18n/words"

/** A minus that is as wide as a digit, so that amounts in a column line up. */
export const MINUS = "\u2212"

export function amountText(amount: string, currency: string, language: Language): string {
  if (amount.startsWith("-")) return `${MINUS}${amountText(amount.slice(1), currency, language)}`
  const number = exactText(amount, language)
  if (number === null) return `${currency} ${amount}`
  return language === "fr" ? `${number}\u00A0${currency}` : `${currency}\u00A0${number}`
}

/** `2.5%` in English, `2,5 %` in French. */
export function percentText(percentage: string, language: Language): string {
  const number = exactText(percentage, language) ?? percentage
  return language === "fr" ? `${number}\u202F%` : `${number}%`
}

/** The number in the language's form; null if the text is not a number. */
function exactText(amount: string, language: Language): string | null {
  const [whole = "0", fraction] = amount.split(".")
  if (!/^-?\d+$/.test(whole)) return null
  const parts = new Intl.NumberFormat(language).formatToParts(1.5)
  const point = parts.find(({ type }) => type === "decimal")?.value ?? "."
  const sign = whole.startsWith("-") ? "-" : ""
  const grouped = sign + new Intl.NumberFormat(language).format(BigInt(whole.replace("-", "")))
  return fraction === undefined ? grouped : `${grouped}${point}${fraction}`
}
