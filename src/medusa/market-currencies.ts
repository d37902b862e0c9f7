import { defaultCurrencies } from "@medusajs/framework/utils"
import { currencyDigits, MARKET_CURRENCIES, signOf } from "../core/markets"

/**
 * Medusa 2.21 does not know the Liberian dollar. Its Currency module loads this plain object when
 * it starts, so one entry makes LRD a currency like any other. Medusa's own entries are kept.
 */
export function addMarketCurrencies(): void {
  const currencies: Record<string, unknown> = defaultCurrencies
  for (const code of MARKET_CURRENCIES) currencies[code] ??= currencyOf(code)
}

function currencyOf(code: string) {
  const name = new Intl.DisplayNames("en", { type: "currency" }).of(code) ?? code
  const format = (currencyDisplay: "narrowSymbol" | "name") => {
    const style = { style: "currency", currency: code, currencyDisplay } as const
    return new Intl.NumberFormat("en", style).formatToParts(2)
  }
  const native = format("narrowSymbol").find(({ type }) => type === "currency")?.value ?? code
  return {
    symbol: signOf(code) ?? native,
    name,
    symbol_native: signOf(code) ?? native,
    decimal_digits: currencyDigits(code),
    rounding: 0,
    code,
    name_plural: format("name").find(({ type }) => type === "currency")?.value ?? name,
  }
}
