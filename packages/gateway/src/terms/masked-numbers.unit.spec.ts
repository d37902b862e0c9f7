import fc from "fast-check"
import { findPhoneNumbersInText, getExampleNumber } from "libphonenumber-js/max"
import examples from "libphonenumber-js/examples.mobile.json"
import { maskNumbers } from "./masked-numbers"

const BLANKS = [
  " ",
  "\u00a0",
  "\u202f",
  "\u2009",
  "-",
  "\u2011",
  "\u2013",
  ".",
  "/",
  "\u200b",
  ") ",
]
const between = fc.constantFrom(...BLANKS, " - ", "\u200b\u200b", "\u2060", "\u00ad", "\u0007")
const around = fc.constantFrom(
  ...["", "payer ", "tel:", "MSISDN=", "(", "2 x ", "2026-11-27 ", "try 12 ", "ref A1, ", "\n"],
)
const behind = fc.constantFrom("", " is unknown", ".", ")", ", again", "\n", " at 14:05", "x")

/** A number of a wallet in the ways that people write it. */
const wallet = fc
  .tuple(fc.constantFrom("231886", "231770", "231555", "250788", "250722"), fc.nat(999_999))
  .map(([start, rest]) => `${start}${String(rest).padStart(6, "0")}`)
const written = wallet.chain((digits) =>
  fc.constantFrom(`+${digits}`, digits, `00${digits}`, `0${digits.slice(3)}`),
)
const groupsOf = (text: string, sizes: readonly number[]): string[] => {
  const groups: string[] = []
  let rest = text
  for (const size of sizes) {
    if (rest === "") break
    groups.push(rest.slice(0, size))
    rest = rest.slice(size)
  }
  return rest === "" ? groups : [...groups, rest]
}

/** Groups of the number, with signs of `between` in each gap. */
const parted = (number: fc.Arbitrary<string>) =>
  fc
    .tuple(number, fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 16 }))
    .map(([text, sizes]) => groupsOf(text, sizes))
    .chain((groups) =>
      fc
        .array(between, { minLength: groups.length, maxLength: groups.length })
        .map((gaps) => groups.map((group, at) => (at === 0 ? group : gaps[at] + group)).join("")),
    )

/** Where something was masked, what stands before it is not what stands after it. */
const digitsIn = (text: string) => text.replace(/[^\d•]/g, "")

/** With the check digit that each card number ends with. */
function cardOf(start: string): string {
  const last = "0123456789".split("").find((digit) => {
    const doubled = [...(start + digit)].reverse().map((one, at) => Number(one) * (1 + (at % 2)))
    return doubled.reduce((sum, one) => sum + (one > 9 ? one - 9 : one), 0) % 10 === 0
  })
  return `${start}${last}`
}

/** Written so, a card number is several amounts. */
const isLikeAmounts = (text: string) =>
  text.split(/[\s\p{Z}/]+/u).every((part) => /^\d+\.\d\d$/.test(part))

/** Neither its beginning nor its end is left. Six digits, because a day beside it may have four. */
function expectMasked(text: string, number: string): void {
  // The three digits that a mask keeps end there: with a time behind them they may look like more.
  const left = digitsIn(maskNumbers(text).replace(/•••(\d{0,3})/g, "•$1•"))
  expect([text, left.includes(digitsIn(number).slice(-6))]).toEqual([text, false])
  expect([text, left.includes(digitsIn(number).slice(0, 6))]).toEqual([text, false])
}

describe("[D4] a number in a foreign text", () => {
  it.each([
    ["0886 731 904", "•••904"],
    ["+231-886-731-904", "•••904"],
    ["+231 (0) 886 731 904", "•••904"],
    ["0886\u00a0731\u00a0904", "•••904"],
    ["0886.731.904", "•••904"],
    ["08\u200b86\u200b731904", "•••904"],
    ["231 886 731 904", "•••904"],
    ["886-731-904", "•••904"],
    ["+44 20 7946 0958", "•••958"],
    ["00 1 415 555 0123", "•••123"],
    ["\uff10\uff18\uff18\uff16731904", "•••904"],
    ["\u0660\u0668\u0668\u0666 731 904", "•••904"],
    ["4111 1111 1111 1111", "•••111"],
    ["4111-1111-1111-1111", "•••111"],
    ["3782 822463 10005", "•••005"],
    ["4222222222222", "•••222"],
    ["6304 0000 0000 0000 000", "•••000"],
  ])("%s is masked", (number, masked) => {
    expect(maskNumbers(`payer ${number} is unknown`)).toBe(`payer ${masked} is unknown`)
  })

  it("of a wallet is masked wherever its digits are parted", () => {
    fc.assert(
      fc.property(parted(written), around, behind, (number, before, after) => {
        expectMasked(`${before}${number}${after}`, number)
      }),
      { numRuns: 2_000 },
    )
  })

  it("of a card is masked, whatever is between its groups", () => {
    const card = fc
      .tuple(
        fc.constantFrom("4", "51", "37", "60", "3528"),
        fc.array(fc.nat(9), { minLength: 17, maxLength: 17 }),
        fc.integer({ min: 13, max: 19 }),
      )
      .map(([start, rest, length]) => `${start}${rest.join("")}`.slice(0, length - 1))
      .map(cardOf)
    fc.assert(
      fc.property(parted(card), behind, (number, after) => {
        fc.pre(!isLikeAmounts(number))
        expectMasked(`card ${number}${after}`, number)
      }),
      { numRuns: 2_000 },
    )
  })

  it("is found by the phone library in no text that was masked", () => {
    const countries = ["LR", "RW"] as const
    for (const country of countries) {
      const number = getExampleNumber(country, examples)
      const forms = [
        number?.formatInternational(),
        number?.formatNational(),
        number?.number,
        number?.format("IDD", { fromCountry: "GB" }),
        number?.format("RFC3966"),
      ]
      for (const form of forms) {
        const text = maskNumbers(`Payer ${form} said no; call ${form}.`)
        expect([form, findPhoneNumbersInText(text, country)]).toEqual([form, []])
      }
    }
  })
})

describe("what is no number of a phone or card", () => {
  it.each([
    "expected 1250.00 and got 1,250,000.50",
    "RWF 788 123 456 is too much",
    "788 123 456 RWF",
    "1 250 000.00 LRD",
    "4250000.75",
    "12500.00 13000.00 40000.00",
    "1234567",
    "2026-11-27 14:05:33.123",
    "2026-11-27T14:05:33Z",
    "27.11.2026",
    "20261127",
    "ORD-20261127-0042",
    "INV-00012345",
    "order 2026-000123",
    "reference 12345-67890",
    "3f1e2b8a-4c5d-4e6f-8a9b-0c1d2e3f4a5b",
    "550e8400e29b41d4a716446655440000",
    "192.168.100.200",
    "sizes 40, 41, 42, 43, 44, 45, 46",
    "min 100 max 200000, given 5",
  ])("%s stays", (text) => {
    expect(maskNumbers(text)).toBe(text)
  })

  it("stays: amounts, days and UUIDs as they are drawn", () => {
    const cents = fc.integer({ min: 100, max: 99_999_999 }).map((minor) => (minor / 100).toFixed(2))
    const day = fc
      .date({ min: new Date("2000-01-01"), max: new Date("2099-12-31"), noInvalidDate: true })
      .map((date) => date.toISOString())
    const grouped = fc
      .integer({ min: 1_000, max: 999_999_999 })
      .map((whole) => `${whole.toLocaleString("en-US")}.00`)
    fc.assert(
      fc.property(fc.oneof(cents, day, grouped, fc.uuid()), (text) => {
        expect(maskNumbers(`it says ${text} here`)).toBe(`it says ${text} here`)
      }),
      { numRuns: 2_000 },
    )
  })
})
