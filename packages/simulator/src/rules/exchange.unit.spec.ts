import { createExchange } from "./exchange"

test("an exchange knows the digits of both currencies and never ends in nothing", () => {
  const { exchanged } = createExchange()
  expect(exchanged({ minor: 100, currency: "USD" }, "LRD").minor).toBe(19_000)
  expect(exchanged({ minor: 100, currency: "USD" }, "RWF").minor).toBe(1_450)
  expect(exchanged({ minor: 1, currency: "LRD" }, "USD").minor).toBe(1)
  expect(exchanged({ minor: 1_450, currency: "RWF" }, "USD").minor).toBe(100)
})

test("amounts are rounded half up to the smallest unit of the other currency", () => {
  const exchange = createExchange()
  exchange.set("RWF", 1450.5)
  expect(exchange.exchanged({ minor: 100, currency: "USD" }, "RWF").minor).toBe(1_451)
  expect(exchange.exchanged({ minor: 99, currency: "USD" }, "RWF").minor).toBe(1_436)
})

test.each([
  ["USD", "LRD", "190"],
  ["USD", "RWF", "1450"],
  ["LRD", "USD", "0.0052631579"],
  ["LRD", "RWF", "7.6315789474"],
] as const)("one %s is %p in %s", (from, to, text) => {
  expect(createExchange().rateText(from, to)).toBe(text)
})

test("a rate that was set holds in both directions", () => {
  const exchange = createExchange()
  exchange.set("LRD", 200.25)
  expect(exchange.rateText("USD", "LRD")).toBe("200.25")
  expect(exchange.exchanged({ minor: 20_025, currency: "LRD" }, "USD").minor).toBe(100)
})

test.each([0, -1, Number.NaN, 1.00001, 100_001])("%p is refused as a rate", (rate) => {
  expect(() => createExchange().set("LRD", rate)).toThrow("is no rate")
})

test("the dollar's own rate is not for setting", () => {
  expect(() => createExchange().set("USD", 2)).toThrow("The rate of USD is 1")
})
