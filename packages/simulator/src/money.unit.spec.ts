import { decimalText, minorFromWire, shareOf, wireAmount } from "./money"

test.each([
  [19.99, "USD", 1999],
  [0.1, "LRD", 10],
  [42.5, "USD", 4250],
  [1_000_000.01, "USD", 100_000_001],
  [2500, "RWF", 2500],
] as const)("%p %s is read as %p of the smallest unit", (amount, currency, minor) => {
  expect(minorFromWire(amount, currency)).toBe(minor)
  expect(wireAmount({ minor, currency })).toBe(amount)
})

test.each([
  [66.61775, "USD"],
  [0.005, "USD"],
  [0, "USD"],
  [-1, "USD"],
  [0.5, "RWF"],
  [1e21, "USD"],
  [1e-7, "USD"],
] as const)("%p is no amount in %s", (amount, currency) => {
  expect(minorFromWire(amount, currency)).toBeNull()
})

test("a decimal text has all digits of its currency", () => {
  expect(decimalText({ minor: 5, currency: "USD" })).toBe("0.05")
  expect(decimalText({ minor: 1990, currency: "LRD" })).toBe("19.90")
  expect(decimalText({ minor: 7, currency: "RWF" })).toBe("7")
})

test("shares are rounded half up", () => {
  expect(shareOf(50, 100)).toBe(1)
  expect(shareOf(49, 100)).toBe(0)
})
