import fs from "node:fs"
import path from "node:path"
import fc from "fast-check"
import { currency, money } from "../../integration-tests/support/an-operation"
import { currencyDigits } from "./markets"
import {
  exactMoneyFromMajor,
  isBelowSmallestUnit,
  isPayable,
  majorNumber,
  majorText,
  moneyFromMajor,
  parseCurrency,
  sameMoney,
} from "./money"

const USD = currency("USD")
const RWF = currency("RWF")
const codes = fc.constantFrom("USD", "LRD", "RWF", "XOF").map(currency)
const minors = fc.bigInt({ min: 0n, max: 10n ** 15n - 1n })

describe("[B13] an amount in major units", () => {
  it.each([
    [66.61775, "USD", 6_662n],
    ["66.61775", "USD", 6_662n],
    ["66.617750000000000000", "USD", 6_662n],
    [7_666.46, "RWF", 7_666n],
    [7_666.5, "RWF", 7_667n],
    [0.4, "RWF", 0n],
    [0.5, "RWF", 1n],
    [0.001, "USD", 0n],
    [0.005, "USD", 1n],
    ["0.004999999999999999", "USD", 0n],
    [1.005, "USD", 101n],
    [0, "USD", 0n],
    [-0, "USD", 0n],
    ["1e3", "USD", 100_000n],
    ["1.5E+2", "LRD", 15_000n],
    [1e-7, "USD", 0n],
    [0.1 + 0.2, "USD", 30n],
    [" 19.99 ", "USD", 1_999n],
    ["007", "RWF", 7n],
    ["9999999999999.99", "USD", 999_999_999_999_999n],
    ["999999999999999", "RWF", 999_999_999_999_999n],
  ])("%p in %s is rounded half up, once, to %p smallest units", (amount, code, minor) => {
    expect(moneyFromMajor(amount, currency(code))).toEqual({ minor, currency: code })
  })

  it.each([
    -1,
    "-0.01",
    "",
    " ",
    ".5",
    "5.",
    "1,000",
    "1 000",
    "12abc",
    "0x10",
    "Infinity",
    NaN,
    Infinity,
    "1e400",
    "1e-400",
    "9".repeat(65),
    1e15,
    1e21,
    "9999999999999.995",
    null,
    undefined,
    true,
    {},
    [],
    10n,
  ])("%p is no amount", (amount) => {
    expect(moneyFromMajor(amount, USD)).toBeUndefined()
  })

  it("of 0.4 RWF leaves nothing payable", () => {
    const rounded = moneyFromMajor(0.4, RWF)
    expect(rounded && isPayable(rounded)).toBe(false)
    expect(isPayable(money(1, "RWF"))).toBe(true)
  })

  it("survives its text and its JSON number", () => {
    fc.assert(
      fc.property(minors, codes, (minor, code) => {
        const amount = { minor, currency: code }
        expect(moneyFromMajor(majorText(amount), code)).toEqual(amount)
        expect(moneyFromMajor(JSON.parse(JSON.stringify(majorNumber(amount))), code)).toEqual(
          amount,
        )
        expect(exactMoneyFromMajor(majorNumber(amount), code)).toEqual(amount)
      }),
    )
  })

  it("is never further from the exact value than half a smallest unit", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 14n }),
        fc.nat(9),
        codes,
        (units, scale, code) => {
          const digits = units.toString().padStart(scale + 1, "0")
          const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
          const rounded = moneyFromMajor(text, code)
          if (!rounded) return
          const unit = 10n ** BigInt(scale)
          const off = rounded.minor * unit - units * 10n ** BigInt(currencyDigits(code))
          expect(off * 2n <= unit && off * 2n > -unit).toBe(true)
        },
      ),
    )
  })

  it("rounded twice is the same as rounded once", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), codes, (amount, code) => {
        const once = moneyFromMajor(amount, code)
        if (once) expect(moneyFromMajor(majorText(once), code)).toEqual(once)
      }),
    )
  })
})

describe("what the gateway answers", () => {
  it.each([
    ["66.62", USD, 6_662n],
    ["66.620000", USD, 6_662n],
    [7_666, RWF, 7_666n],
    ["7666.00", RWF, 7_666n],
  ])("%p is taken when it is exact", (amount, code, minor) => {
    expect(exactMoneyFromMajor(amount, code)?.minor).toBe(minor)
  })

  it.each([
    ["66.625", USD],
    [7_666.46, RWF],
    ["0.001", USD],
  ])("%p is not rounded into being equal", (amount, code) => {
    expect(exactMoneyFromMajor(amount, code)).toBeUndefined()
  })
})

describe("money", () => {
  it("is written with exactly the digits of its currency", () => {
    expect(majorText(money(5))).toBe("0.05")
    expect(majorText(money(6_662))).toBe("66.62")
    expect(majorText(money(7_666, "RWF"))).toBe("7666")
  })

  it("is the same only in amount and currency", () => {
    expect(sameMoney(money(1), money(1))).toBe(true)
    expect(sameMoney(money(1), money(2))).toBe(false)
    expect(sameMoney(money(1), money(1, "LRD"))).toBe(false)
  })

  it.each([
    ["0.001", "usd", true],
    ["0.00499999", "LRD", true],
    ["0.005", "usd", false],
    ["0.49", "rwf", true],
    ["0.5", "rwf", false],
    ["0", "usd", true],
    ["", "usd", false],
    ["-0.001", "usd", false],
    ["0.001", "", false],
  ])("of %s %s is below what a payer can pay: %s", (amount, code, isBelow) => {
    expect(isBelowSmallestUnit({ amount, currency: code })).toBe(isBelow)
  })

  it("knows currencies in any case, and nothing else", () => {
    expect(["usd", "Lrd", "RWF"].map(parseCurrency)).toEqual(["USD", "LRD", "RWF"])
    expect(["US", "USDX", "U$D", "", 840, null].map(parseCurrency)).toEqual(
      Array(6).fill(undefined),
    )
    expect(["USD", "LRD", "RWF"].map((code) => currencyDigits(currency(code)))).toEqual([2, 2, 0])
  })

  it("has no digits from an object's prototype", () => {
    expect(currencyDigits(currency("XXX"))).toBe(2)
  })

  it("is computed without floats", () => {
    const source = fs.readFileSync(path.join(__dirname, "money.ts"), "utf8")
    expect(source).not.toMatch(/parseFloat|toFixed|Math\.(round|floor|ceil|trunc)/)
  })
})
