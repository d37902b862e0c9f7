import { MARKET_CURRENCIES, signOf } from "../../core/markets"
import { withOwnSigns } from "./own-signs"

const Signed = withOwnSigns(Intl.NumberFormat)
const LOCALES = [[], "en", "fr", "rw", "de-CH", "ar"] as const
const DISPLAYS = ["narrowSymbol", "symbol", "code", "name"] as const

/** As Medusa 2.21's own pages write an amount, and read a currency's sign. */
const asMedusa = (Format: typeof Intl.NumberFormat, currency: string, locale: string | string[]) =>
  new Format(locale, { style: "currency", currencyDisplay: "narrowSymbol", currency })

it("writes the Liberian dollar by its own sign, in either case, however it is asked", () => {
  for (const locale of LOCALES) {
    for (const code of ["LRD", "lrd"]) {
      const format = asMedusa(Signed, code, typeof locale === "string" ? locale : [])
      for (const amount of [0, 5601.12, -3, 12n]) {
        expect(format.format(amount)).toContain("L$")
        expect(format.format(amount).replace("L$", "")).not.toContain("$")
        const parts = format.formatToParts(amount).map(({ value }) => value)
        expect(parts.join("")).toBe(format.format(amount))
      }
    }
  }
  expect(
    Signed("en", { style: "currency", currency: "LRD", currencyDisplay: "narrowSymbol" }).format(5),
  ).toBe("L$5.00")
})

it("leaves every other format as the browser has it", () => {
  const currencies = ["USD", "EUR", "JPY", "XAF", ...MARKET_CURRENCIES]
  for (const currency of currencies) {
    for (const currencyDisplay of DISPLAYS) {
      if (signOf(currency) !== undefined && currencyDisplay === "narrowSymbol") continue
      const options = { style: "currency", currency, currencyDisplay } as const
      expect(new Signed("en", options).format(1234.5)).toBe(
        new Intl.NumberFormat("en", options).format(1234.5),
      )
    }
  }
  expect(new Signed("fr").format(1234.5)).toBe(new Intl.NumberFormat("fr").format(1234.5))
  expect(new Signed() instanceof Intl.NumberFormat).toBe(true)
  expect(Signed.supportedLocalesOf("fr")).toEqual(["fr"])
})
