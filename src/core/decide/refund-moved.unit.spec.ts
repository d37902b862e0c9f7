import fc from "fast-check"
import { currency, money } from "../../../integration-tests/support/an-operation"
import { isAsAsked, isOutAsAsked, type Moved, type Taken } from "./refund-moved"

const LRD = (minor: number) => money(minor, "LRD")
const moved = (payer?: Moved["payer"], payee?: Moved["payee"], ...fees: string[]): Moved => ({
  payer,
  payee,
  fees,
})
const TEN = money(1_000)
/** Ten dollars, paid as 1,920 Liberian dollars. */
const PAID_IN_LRD: Taken = { collected: TEN, paid: LRD(192_000) }

describe("ten dollars are given back where", () => {
  it.each([
    ["both sides are ten", moved(TEN, TEN)],
    ["no side is told", moved()],
    ["a fee comes on top for the merchant", moved(money(1_025), TEN)],
    ["a fee comes off what the customer gets", moved(TEN, money(980))],
    ["each bears a fee", moved(money(1_010), money(990))],
    ["what the payment had cost comes back, too", moved(money(975), TEN)],
    ["the customer gets back what came on top", moved(TEN, money(1_025))],
    ["both are less by a fee that is named", moved(money(980), money(980), "0.15", "0.05")],
    ["one side alone is off by a fee", moved(money(1_025))],
    ["the other alone is off by a fee", moved(undefined, money(975))],
    ["a side of nothing says nothing", moved(TEN, money(0))],
    [
      "the other side is in a currency that nothing is known of",
      moved(TEN, money(9_999_999, "RWF")),
    ],
    ["the fee is most of it, and named", moved(TEN, money(100), "9.00")],
  ] as const)("%s", (_name, answer) => {
    expect(isAsAsked(TEN, answer, undefined)).toBe(true)
  })

  it("the customer gets what was paid in another currency, at another rate, less a fee", () => {
    expect(isAsAsked(TEN, moved(TEN, LRD(192_000)), PAID_IN_LRD)).toBe(true)
    expect(isAsAsked(TEN, moved(TEN, LRD(170_000)), PAID_IN_LRD)).toBe(true)
    expect(isAsAsked(TEN, moved(LRD(195_000), LRD(190_000)), PAID_IN_LRD)).toBe(true)
  })
})

describe("it is another amount where", () => {
  it.each([
    ["both sides are less", moved(money(500), money(500))],
    ["both are less by a cent, and nobody names a fee", moved(money(999), money(999))],
    ["both are less by more than the fee that is named", moved(money(970), money(970), "0.20")],
    ["both are more", moved(money(2_050), money(2_000))],
    ["the customer gets five cents of it", moved(TEN, money(5))],
    ["ten of another currency moved, as one side tells", moved(money(5), LRD(1_000))],
    ["one side alone is more than half off", moved(undefined, money(499))],
    ["or as much above", moved(money(1_501))],
  ] as const)("%s", (_name, answer) => {
    expect(isAsAsked(TEN, answer, undefined)).toBe(false)
  })

  it("ten of what the payer had paid with went back, as no other side tells", () => {
    expect(isAsAsked(TEN, moved(LRD(1_000), LRD(1_000)), PAID_IN_LRD)).toBe(false)
    expect(isAsAsked(TEN, moved(TEN, LRD(1_000)), PAID_IN_LRD)).toBe(false)
  })

  it("a part is of the part's share", () => {
    const five = money(500)
    expect(isAsAsked(five, moved(five, LRD(96_000)), PAID_IN_LRD)).toBe(true)
    expect(isAsAsked(five, moved(five, LRD(192_000)), PAID_IN_LRD)).toBe(false)
  })
})

describe("a payout of ten dollars", () => {
  it.each([
    ["moved them, with fees on both sides", moved(money(1_025), money(990)), true],
    ["left a wallet of another currency", moved(LRD(192_000), TEN), true],
    ["reached a recipient of another currency", moved(TEN, LRD(192_000)), true],
    ["has one side named, in another currency", moved(undefined, LRD(192_000)), true],
    ["is told without amounts", moved(), true],
    ["moved a hundred", moved(money(10_000), money(10_000)), false],
    ["moved Liberian dollars on both sides", moved(LRD(1_000), LRD(1_000)), false],
    ["paid out five cents", moved(TEN, money(5)), false],
  ] as const)("%s", (_name, answer, isAsked) => {
    expect(isOutAsAsked(TEN, answer)).toBe(isAsked)
  })
})

const minors = fc.integer({ min: 1, max: 1_000_000_000 })
const shares = fc.integer({ min: 0, max: 50 })

it("whoever bears a fee of up to half of it, it is what was asked for", () => {
  fc.assert(
    fc.property(minors, shares, shares, fc.boolean(), (asked, above, below, isSwapped) => {
      const more = money(asked + Math.floor((asked * above) / 100))
      const less = money(asked - Math.floor((asked * below) / 100))
      const answer = isSwapped ? moved(less, more) : moved(more, less)
      expect(isAsAsked(money(asked), answer, undefined)).toBe(true)
    }),
  )
})

it("[B11] the same number in another currency never is", () => {
  const pairs = fc.constantFrom(["USD", "LRD", 192] as const, ["USD", "RWF", 1_450] as const)
  fc.assert(
    fc.property(pairs, fc.integer({ min: 1, max: 100_000 }), ([source, payer, rate], major) => {
      const minorOf = (code: string, amount: number) =>
        money(currency(code) === "RWF" ? amount : amount * 100, code)
      const asked = minorOf(source, major)
      const wrong = moved(minorOf(payer, major), minorOf(payer, major))
      const taken = { collected: asked, paid: minorOf(payer, major * rate) }
      expect(isAsAsked(asked, wrong, taken)).toBe(false)
    }),
  )
})
