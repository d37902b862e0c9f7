/**
 * Adds the currencies of the markets to the dashboard. Medusa 2.21's list has no LRD, so amounts
 * lose their cents and some forms fail. Loading the extension adds it; the widget shows nothing.
 * Medusa's own entries are kept. A currency with a sign of its own is written by it.
 */
import { defineWidgetConfig } from "@medusajs/admin-sdk"
import { currencies } from "@medusajs/dashboard/lib"
import { currencyDigits, MARKET_CURRENCIES, signOf } from "../../core/markets"
import { withOwnSigns } from "../lib/own-signs"

function addCurrencies(): void {
  for (const code of MARKET_CURRENCIES) {
    currencies[code] ??= {
      code,
      name: new Intl.DisplayNames("en", { type: "currency" }).of(code) ?? code,
      symbol_native: signOf(code) ?? code,
      decimal_digits: currencyDigits(code),
    }
  }
}

try {
  addCurrencies()
  Intl.NumberFormat = withOwnSigns(Intl.NumberFormat)
} catch {
  // An error while the extension loads would leave the whole dashboard blank.
}

const MarketCurrencies = () => null

export const config = defineWidgetConfig({ zone: "order.details.after" })

export default MarketCurrencies
