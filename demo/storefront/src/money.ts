/**
 * Amounts as the shopper reads them. Medusa keeps more digits than a currency has (a taxed total
 * can be 7,666.46 RWF); what is paid is that amount rounded half up to the currency's digits, so
 * that is what is shown.
 */

import { language } from "./words/language"

type Shown = { symbol: string; digits: number }

const SHOWN: Readonly<Record<string, Shown>> = {
  USD: { symbol: "US$", digits: 2 },
  LRD: { symbol: "L$", digits: 2 },
  RWF: { symbol: "RWF", digits: 0 },
}

/** Sign or code of a currency, for labels: `L$`, `RWF`. */
export function currencySymbol(currency: string): string {
  const code = currency.toUpperCase()
  return SHOWN[code]?.symbol ?? code
}

/** `amount` in major units, `currency` in either case: `L$1,250.00`, `RWF 7,666`. */
export function formatMoney(amount: number, currency: string): string {
  const code = currency.toUpperCase()
  const shown = SHOWN[code]
  const format = new Intl.NumberFormat(language, {
    style: "currency",
    currency: code,
    currencyDisplay: "narrowSymbol",
    ...(shown && {
      minimumFractionDigits: shown.digits,
      maximumFractionDigits: shown.digits,
    }),
  })
  const parts = format.formatToParts(amount)
  const text = parts.map((part) => (part.type === "currency" && shown ? shown.symbol : part.value))
  return text.join("")
}
