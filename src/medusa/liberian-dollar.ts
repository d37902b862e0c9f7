import { defaultCurrencies } from "@medusajs/framework/utils"

/**
 * Medusa 2.21 does not know the Liberian dollar. Its Currency module loads this plain object when
 * it starts, so one entry makes LRD a currency like any other. An entry of Medusa's own is kept.
 */
export function addLiberianDollar(): void {
  const currencies: Record<string, unknown> = defaultCurrencies
  currencies["LRD"] ??= {
    symbol: "L$",
    name: "Liberian Dollar",
    symbol_native: "$",
    decimal_digits: 2,
    rounding: 0,
    code: "LRD",
    name_plural: "Liberian dollars",
  }
}
