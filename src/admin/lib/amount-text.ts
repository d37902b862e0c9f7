/** Formats exact amounts, which arrive as decimal text. No digit goes through a float. */
import type { Language } from "../i18n/words"

export function amountText(amount: string, currency: string, language: Language): string {
  const [whole = "0", fraction] = amount.split(".")
  if (!/^\d+$/.test(whole)) return `${currency} ${amount}`
  const parts = new Intl.NumberFormat(language).formatToParts(1.5)
  const point = parts.find(({ type }) => type === "decimal")?.value ?? "."
  const grouped = new Intl.NumberFormat(language).format(BigInt(whole))
  const number = fraction === undefined ? grouped : `${grouped}${point}${fraction}`
  return language === "fr" ? `${number}\u00A0${currency}` : `${currency}\u00A0${number}`
}
