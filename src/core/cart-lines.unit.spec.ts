import fc from "fast-check"
import { currency, money } from "../../integration-tests/support/an-operation"
import {
  cartLines,
  checkoutLines,
  sourceLines,
  missingLines,
  type CartPosition,
} from "./cart-lines"
import { moneyFromMajor, type Money } from "./money"

const at = (title: string, total: number | string, quantity = 1): CartPosition => ({
  title,
  total,
  quantity,
})
const shown = (positions: CartPosition[], amount: Money) =>
  checkoutLines(cartLines(positions, amount, "Order")).map((line) => [
    line.name,
    Number(line.amount.minor),
  ])
const itemized = (positions: CartPosition[], amount: Money) =>
  sourceLines(cartLines(positions, amount, "Order")).map(({ name, qty, unit }) => [
    name,
    qty,
    Number(unit.minor),
  ])

describe("a cart as lines", () => {
  it("has a line for each item and each shipping method, the quantity in the name", () => {
    const positions = [at("T-shirt", 39.98, 2), at("Mug", "8.00"), at("Courier", 5)]
    expect(shown(positions, money(5_298))).toEqual([
      ["T-shirt x 2", 3_998],
      ["Mug", 800],
      ["Courier", 500],
    ])
  })

  it("puts what rounding leaves onto the largest line", () => {
    const positions = [at("A", 64.46775, 3), at("B", 2.15)]
    expect(shown(positions, money(6_662))).toEqual([
      ["A x 3", 6_447],
      ["B", 215],
    ])
    expect(shown([at("A", 0.333), at("B", 0.334), at("C", 0.333)], money(100))).toEqual([
      ["A", 34],
      ["B", 33],
      ["C", 33],
    ])
  })

  it("folds a line of nothing, or of less, into the largest", () => {
    expect(shown([at("Gift", 0), at("Mug", 10), at("Coupon", "-2.50")], money(750))).toEqual([
      ["Mug", 750],
    ])
  })

  it.each<[string, CartPosition[]]>([
    ["its lines differ by more than rounding", [at("Mug", 10), at("Bag", 5)]],
    ["a total is not readable", [at("Mug", "ten")]],
    ["it has no lines", []],
    ["nothing is left on the largest line", [at("A", 10), at("B", "-9"), at("C", "-0.5")]],
  ])("is one line with the whole amount when %s", (_why, positions) => {
    expect(shown(positions, money(1_234))).toEqual([["Order", 1_234]])
  })

  it("carries the quantity beside a unit price on a document, where the total divides", () => {
    const positions = [at("T-shirt", 39.98, 2), at("Mug", "8.00"), at("Courier", 5)]
    expect(itemized(positions, money(5_298))).toEqual([
      ["T-shirt", 2, 1_999],
      ["Mug", 1, 800],
      ["Courier", 1, 500],
    ])
  })

  it.each<[string, number, number | string, string]>([
    ["the total does not divide", 3, "10.00", "Mug x 3"],
    ["it is cut or weighed", 2.5, "10.00", "Mug x 2.5"],
    ["nobody can count it", Number.NaN, "10.00", "Mug"],
    ["it is none", 0, "10.00", "Mug"],
  ])("is one piece at its total on a document when %s", (_why, quantity, total, name) => {
    expect(itemized([at("Mug", total, quantity)], money(1_000))).toEqual([[name, 1, 1_000]])
  })

  it("names a line in one row, of at most 120 characters, and never with half a character", () => {
    const [line] = cartLines([at(` Big\n\t ${"🧺".repeat(200)} `, 1)], money(100), "Order")
    expect(line?.name).toBe(`Big ${"🧺".repeat(116)}`)
    expect(cartLines([at("  ", 1)], money(100), "Order")[0]?.name).toBe("Item")
  })

  it("adds up to the amount exactly, in positive lines, for any cart", () => {
    const totals = fc.oneof(
      fc.double({ min: -50, max: 5_000, noNaN: true }),
      fc.integer({ min: -5_000, max: 500_000 }).map((cents) => cents / 100),
      fc.constantFrom(0, 66.61775, 7_666.46, 0.4),
    )
    const positions = fc.array(
      fc.record({ title: fc.string(), quantity: fc.integer({ min: 1, max: 9 }), total: totals }),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(
        positions,
        fc.constantFrom("USD", "LRD", "RWF").map(currency),
        fc.double({ min: -3, max: 3, noNaN: true }),
        (cart, code, noise) => {
          const sum = cart.reduce((total, position) => total + position.total, 0)
          for (const total of [sum, sum + noise]) {
            const amount = moneyFromMajor(total, code)
            if (!amount || amount.minor === 0n) continue
            const lines = cartLines(cart, amount, "Order")
            expect(lines.reduce((all, line) => all + line.amount.minor, 0n)).toBe(amount.minor)
            expect(lines.every((line) => line.amount.minor > 0n)).toBe(true)
            expect(lines.every((line) => line.amount.currency === code)).toBe(true)
            const checkout = checkoutLines(lines).reduce((all, line) => all + line.amount.minor, 0n)
            expect(checkout).toBe(amount.minor)
            const items = sourceLines(lines)
            const source = items.reduce((all, { qty, unit }) => all + BigInt(qty) * unit.minor, 0n)
            expect(source).toBe(amount.minor)
            expect(items.every(({ qty, unit }) => qty >= 1 && unit.minor > 0n)).toBe(true)
          }
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe("what a document still lacks", () => {
  const line = (name: string, qty = 1, minor = 500) => ({ name, qty, unit: money(minor) })
  const [mug, tote, other] = [line("Mug"), line("Tote", 2), line("Bag")]

  it.each([
    ["all of it, of an empty one", [mug, tote, mug], [], [mug, tote, mug]],
    ["nothing, of a full one in another order", [mug, tote, mug], [tote, mug, mug], []],
    ["the second of two equal lines", [mug, tote, mug], [mug, tote], [mug]],
    ["the others, where names come back in another form", [mug, tote], [line("MUG")], [tote]],
    ["the named one of lines that cost the same", [mug, other, tote], [other, line("?")], [tote]],
  ])("is %s", (_what, wanted, present, missing) => {
    expect(missingLines(wanted, present)).toEqual(missing)
  })

  it.each([
    ["twice", [mug, mug]],
    ["that nobody wanted", [mug, other]],
    ["in another quantity", [line("Mug", 2)]],
    ["at another price", [line("Mug", 1, 501)]],
    ["in another currency", [{ ...mug, unit: money(500, "LRD") }]],
  ])("can't be said of one that has a line %s", (_what, present) => {
    expect(missingLines([mug, tote], present)).toBeUndefined()
  })
})
