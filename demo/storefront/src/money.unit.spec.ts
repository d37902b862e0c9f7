import { formatMoney } from "./money"

test.each([
  [1250, "lrd", "L$1,250.00"],
  [66.61775, "usd", "US$66.62"],
  [0.125, "usd", "US$0.13"],
  [7666.46, "rwf", "RWF 7,666"],
  [7666.5, "RWF", "RWF 7,667"],
  [12, "eur", "€12.00"],
])("%d %s reads %s", (amount, currency, text) => {
  // Between a code and its digits stands a space that does not break.
  expect(formatMoney(amount, currency).replaceAll("\u00a0", " ")).toBe(text)
})
