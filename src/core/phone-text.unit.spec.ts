import fc from "fast-check"
import { parsePhone, parseWalletPhone } from "./phone"
import { phoneText } from "./phone-text"

const ofCategory = (category: RegExp) =>
  Array.from({ length: 0x110000 }, (_none, codePoint) => codePoint)
    .filter((codePoint) => codePoint < 0xd800 || codePoint > 0xdfff)
    .map((codePoint) => String.fromCodePoint(codePoint))
    .filter((character) => category.test(character))

/** Dashes, spaces, brackets and other punctuation, and characters that nobody sees. */
const MARKS = ofCategory(/[\p{P}\p{Z}\p{Cf}\p{M}\p{Lm}]/u)
/** Ten of each script, from 0 to 9. */
const DIGITS = ofCategory(/\p{Nd}/u)
const DASHES = ofCategory(/\p{Pd}/u)

const decorated = (number: string) => {
  const script = fc.nat(DIGITS.length / 10 - 1)
  const mark = fc.array(fc.constantFrom(...MARKS), { maxLength: 2 }).map((marks) => marks.join(""))
  const marks = fc.array(mark, { minLength: number.length, maxLength: number.length })
  const before = fc.constantFrom("", "tel:", "Tel. ", "\u200e", "\ufeff", "\u202a", "WhatsApp: ")
  const behind = fc.constantFrom("", "\u202c", " (Ada)", "\u200f", ";", " \ufe0f")
  return fc.tuple(script, before, marks, behind).map(([row, first, between, last]) =>
    Array.from(
      number,
      (digit, at) => `${between[at]}${/\d/.test(digit) ? DIGITS[row * 10 + Number(digit)] : digit}`,
    )
      .join("")
      .replace(/^/, first)
      .concat(last),
  )
}

const NUMBERS = [
  ["0770123456", "LR", "231770123456"],
  ["+231770123456", "RW", "231770123456"],
  ["00231770123456", undefined, "231770123456"],
  ["231770123456", undefined, "231770123456"],
  ["+231(0)770123456", "LR", "231770123456"],
  ["0788123456", "RW", "250788123456"],
  ["＋250788123456", undefined, "250788123456"],
] as const

it.each(NUMBERS)(
  "a number written %s at home in %p is the same in any script and with any marks in it",
  (number, country, digits) => {
    fc.assert(
      fc.property(decorated(number), (text) => {
        expect(parseWalletPhone(text, country)).toMatchObject({ phone: { digits } })
      }),
      { numRuns: 300 },
    )
  },
)

it("a number has one value in each script's digits, and parted by each dash", () => {
  const row = (first: number) => [0, 7, 7, 0, 1, 2, 3, 4, 5, 6].map((at) => DIGITS[first + at])
  for (let first = 0; first < DIGITS.length; first += 10) {
    expect(phoneText(row(first).join(""))).toBe("0770123456")
  }
  for (const dash of DASHES) expect(phoneText(`077${dash}012${dash}3456`)).toBe("0770123456")
})

it.each([
  ["\u202a+231 77 012 3456\u202c", "+231770123456"],
  ["\u2066+231\u00a077\u202f012\u20093456\u2069", "+231770123456"],
  ["tel:+231-77-012-3456", "+231770123456"],
  ["[0770] 123.456", "0770123456"],
  ["٠٧٧٠١٢٣٤٥٦", "0770123456"],
  ["०७७०१२३४५६", "0770123456"],
  ["\ufeff0770\u200b123\u2060456", "0770123456"],
  ["0️⃣7️⃣7️⃣0️⃣1️⃣2️⃣3️⃣4️⃣5️⃣6️⃣", "0770123456"],
  ["077ー012ー3456", "0770123456"],
  ["هاتف: ٠٧٧٠١٢٣٤٥٦", "0770123456"],
])("%j is read as %s", (typed, text) => {
  expect(phoneText(typed)).toBe(text)
})

it.each(["077O123456", "0770 123 456 or 0886 123 456", "+231 77 CALL 456", "٠٧٧٠ا١٢٣٤٥٦"])(
  "%j is no number: a letter between digits is a mistake of typing",
  (typed) => {
    expect(phoneText(typed)).toBeUndefined()
  },
)

it("two numbers in one text are none, however they are parted", () => {
  fc.assert(
    fc.property(fc.constantFrom(...MARKS), (mark) => {
      const problem = { problem: "not_a_phone" }
      expect(parsePhone(`0770123456${mark}0886123456`, "LR")).toEqual(problem)
    }),
  )
})
