import { amountText, percentText } from "./amount-text"

it.each([
  ["19.90", "USD", "en", "USD 19.90"],
  ["11529215046068489.76", "LRD", "en", "LRD 11,529,215,046,068,489.76"],
  ["7666", "RWF", "en", "RWF 7,666"],
  ["66.61775", "USD", "en", "USD 66.61775"],
  ["1234.50", "USD", "fr", "1 234,50 USD"],
  ["no amount", "USD", "en", "USD no amount"],
] as const)("%s %s in %s is %j", (amount, currency, language, text) => {
  expect(amountText(amount, currency, language).replace(/\s/g, " ")).toBe(text)
})

it.each([
  ["2.50", "en", "2.50%"],
  ["2.50", "fr", "2,50 %"],
  ["none", "fr", "none %"],
] as const)("%s percent in %s is %j", (percentage, language, text) => {
  expect(percentText(percentage, language).replace(/\s/g, " ")).toBe(text)
})
