import { getCountryCallingCode, getExampleNumber } from "libphonenumber-js/max"
import examples from "libphonenumber-js/examples.mobile.json"
import { COUNTRIES, INTEGER_CURRENCIES, MARKETS, MARKET_CURRENCIES, OPERATORS } from "./markets"
import { parseWalletPhone } from "./phone"
import { isWalletNumber } from "./said/masked-numbers"

describe.each(COUNTRIES)("the market %s", (country) => {
  it("has the country's prefix", () => {
    expect(MARKETS[country].phone.prefix).toBe(getCountryCallingCode(country))
  })

  it("takes a mobile number for a wallet's, and masks it, in each way to write it", () => {
    const number = getExampleNumber(country, examples)?.number ?? ""
    const { prefix } = MARKETS[country].phone
    for (const text of [number, `00${number.slice(1)}`, `0${number.slice(1 + prefix.length)}`]) {
      expect(parseWalletPhone(text, country)).toMatchObject({ phone: { country } })
      expect(isWalletNumber(text)).toBe(true)
    }
  })
})

it("no two operators have one name", () => {
  const methods = OPERATORS.map(({ method }) => method)
  expect(new Set(methods).size).toBe(methods.length)
})

it("its currencies have the digits that a browser shows", () => {
  for (const code of MARKET_CURRENCIES) {
    const { maximumFractionDigits } = new Intl.NumberFormat("en", {
      style: "currency",
      currency: code,
    }).resolvedOptions()
    expect([code, maximumFractionDigits]).toEqual([code, INTEGER_CURRENCIES.has(code) ? 0 : 2])
  }
})
