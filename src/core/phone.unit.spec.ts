import fc from "fast-check"
import judge from "libphonenumber-js/max"
import { COUNTRIES } from "./markets"
import { parsePhone, parseWalletPhone, phoneRefusal, type PhoneProblem } from "./phone"

function wallet(text: unknown, country?: string): string {
  const result = parseWalletPhone(text, country)
  return "problem" in result ? result.problem : `${result.phone.digits} ${result.phone.country}`
}

describe("a phone with a wallet", () => {
  it.each([
    ["0770123456", "LR", "231770123456 LR"],
    ["077 012 3456", "lr", "231770123456 LR"],
    ["0886-123-456", "LR", "231886123456 LR"],
    ["770123456", "LR", "231770123456 LR"],
    ["+231770123456", undefined, "231770123456 LR"],
    ["+231 77 012 3456", "US", "231770123456 LR"],
    ["00231770123456", undefined, "231770123456 LR"],
    ["00 231 77-012-3456", undefined, "231770123456 LR"],
    ["231770123456", undefined, "231770123456 LR"],
    ["231770123456", "LR", "231770123456 LR"],
    ["231 77 012 3456", "RW", "231770123456 LR"],
    ["0788123456", "RW", "250788123456 RW"],
    ["0722 123 456", "RW", "250722123456 RW"],
    ["788123456", "rw", "250788123456 RW"],
    ["+250788123456", undefined, "250788123456 RW"],
    ["(+250) 788-123-456", undefined, "250788123456 RW"],
    ["00250788123456", "US", "250788123456 RW"],
    ["250788123456", undefined, "250788123456 RW"],
    ["250 788 123 456", "US", "250788123456 RW"],
    ["+250788123456", "XX", "250788123456 RW"],
  ])("typed as %p at home in %p is %s", (text, country, expected) => {
    expect(wallet(text, country)).toBe(expected)
  })

  it.each([
    ["", "LR", "not_a_phone"],
    ["   ", "LR", "not_a_phone"],
    [undefined, "LR", "not_a_phone"],
    [231770123456, "LR", "not_a_phone"],
    ["hello", "LR", "not_a_phone"],
    ["12345", "LR", "not_a_phone"],
    ["0770123456", undefined, "not_a_phone"],
    ["+231", "LR", "not_a_phone"],
    ["+999123456789", "LR", "not_a_phone"],
    ["0770123456".repeat(5), "LR", "not_a_phone"],
    ["+231770123456789012", undefined, "not_a_phone"],
    ["0770123456", "XX", "not_a_phone"],
    ["077O123456", "LR", "not_a_phone"],
    ["+231 77 CALL 456", "LR", "not_a_phone"],
    ["+250252123456", undefined, "not_mobile"],
    ["+12025550123", "LR", "other_country"],
    ["+254712345678", "RW", "other_country"],
    ["+33612345678", undefined, "other_country"],
  ])("is not %p at home in %p: %s", (text, country, expected) => {
    expect(wallet(text, country)).toBe(expected)
  })

  it("keeps the last three digits as its hint", () => {
    expect(parseWalletPhone("+231770123456")).toMatchObject({ phone: { hint: "456" } })
  })
})

describe("any phone", () => {
  it("may be of another country for the payment page", () => {
    expect(parsePhone("+12025550123")).toMatchObject({ phone: { digits: "12025550123" } })
  })

  it.each(["0770l23456", "077O123456", "0770 123 456 or 0886 123 456", "Ada"])(
    "%j is none: a letter between digits is a mistake of typing",
    (text) => {
      expect(parsePhone(text, "LR")).toEqual({ problem: "not_a_phone" })
    },
  )

  it("is refused as the same code for each problem", () => {
    const problems: PhoneProblem[] = ["not_a_phone", "not_mobile", "other_country"]
    expect(problems.map((problem) => phoneRefusal(problem).key)).toEqual([
      "invalid_phone",
      "invalid_phone.not_mobile",
      "invalid_phone.other_country",
    ])
  })
})

it("is read as another library reads it, in every country with wallets and however it is parted", () => {
  const country = fc.constantFrom(...COUNTRIES)
  const start = fc.constantFrom("", "0", "07", "08", "+231", "+2317", "+250", "+2507")
  const rest = fc.array(fc.stringMatching(/^\d[ ./-]?$/), { minLength: 4, maxLength: 11 })
  const before = fc.constantFrom("", "", "tel:", "call ", "Ada ", "(Ada) ")
  const behind = fc.constantFrom("", "", " (Ada)", " ext. 9", " x12", "ext3", ";ext=9", ", Ada")
  fc.assert(
    fc.property(country, start, rest, before, behind, (home, first, digits, word, other) => {
      const text = word + first + digits.join("").replace(/\D$/, "") + other
      const read = parsePhone(text, home)
      const judged = judge(text, home)
      // Digits without a plus are read as an international number, too; the judge does not do that.
      fc.pre(judged?.isValid() === true || !/^[1-9]/.test(first + digits.join("")))
      // A shorter number is valid in some countries; the gateway takes none.
      fc.pre(!judged?.isValid() || judged.number.length > "+1234567".length)
      expect("phone" in read ? [read.phone.digits, read.phone.country] : undefined).toEqual(
        judged?.isValid() ? [judged.number.slice(1), judged.country] : undefined,
      )
      if ("phone" in read) {
        const type = judged?.getType() ?? ""
        expect(read.phone.isMobile).toBe(["MOBILE", "FIXED_LINE_OR_MOBILE"].includes(type))
      }
    }),
    { numRuns: 2_000 },
  )
})
