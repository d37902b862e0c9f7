import { typedAmount } from "./typed-amount"
import { typedPhone } from "./typed-phone"

describe("a typed amount", () => {
  it.each([
    ["5", "LRD", "5.00"],
    ["7.25", "LRD", "7.25"],
    ["7,5", "LRD", "7.50"],
    ["1 000", "LRD", "1000.00"],
    ["1\u202F234\u202F567,80", "USD", "1234567.80"],
    ["007", "RWF", "7"],
    ["1000", "RWF", "1000"],
    ["1,500", "LRD", "1500.00"],
    ["1,500.00", "LRD", "1500.00"],
    ["1,234,567.8", "USD", "1234567.80"],
    ["1,500", "RWF", "1500"],
  ])("%s in %s is %s", (text, currency, amount) => {
    expect(typedAmount(text, currency)).toEqual({ kind: "amount", text: amount })
  })

  it.each([
    ["", "LRD", "empty"],
    ["5.", "LRD", "unfinished"],
    ["-5", "LRD", "not_above_zero"],
    ["0.00", "LRD", "not_above_zero"],
    ["0,500", "LRD", "unclear"],
    ["1.000", "LRD", "unclear"],
    ["1.000,50", "LRD", "unclear"],
    ["1,000,50", "LRD", "unclear"],
    ["1,000.505", "LRD", "unclear"],
    ["1,000.50", "RWF", "decimals"],
    ["1,500.", "LRD", "unfinished"],
    ["1 00", "LRD", "unclear"],
    ["7.2512", "LRD", "decimals"],
    ["10.5", "RWF", "decimals"],
    ["1e3", "LRD", "not_amount"],
    ["٥", "LRD", "not_amount"],
    ["99999999999999", "LRD", "not_amount"],
  ])("%s in %s is refused: %s", (text, currency, kind) => {
    expect(typedAmount(text, currency)).toMatchObject({ kind })
  })
})

describe("a typed number", () => {
  it.each([
    ["0770 000 010", "LRD", "+231770000010", "LR"],
    ["0770 000 010", "RWF", "+250770000010", "RW"],
    ["0886100014", "USD", "+231886100014", "LR"],
    ["+231 770 000 010", "RWF", "+231770000010", "LR"],
    ["00231770000010", "USD", "+231770000010", "LR"],
    ["231770000010", "LRD", "+231770000010", "LR"],
    ["+250 788 123 456", "LRD", "+250788123456", "RW"],
  ])("%s in %s is %s", (text, currency, international, country) => {
    expect(typedPhone(text, currency)).toMatchObject({ international, country })
  })

  it.each([
    ["", "LRD"],
    ["12", "LRD"],
    ["0770", "LRD"],
    ["+1 617 555 0143", "LRD"],
    ["abc", "RWF"],
    ["+231 22 123 456", "LRD"],
    // One of each country.
    ["0770 000 010", "USD"],
  ])("%s in %s is none", (text, currency) => {
    expect(typedPhone(text, currency)).toBeUndefined()
  })

  it("is shown as people write it", () => {
    expect(typedPhone("+231770000010", "LRD")?.national).toMatch(/^0\d+(?: \d+)+$/)
  })
})
