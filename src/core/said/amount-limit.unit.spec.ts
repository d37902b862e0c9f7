import type { CurrencyCode } from "../money"
import { amountLimitIn, isAboutAmount } from "./amount-limit"

const USD = "USD" as CurrencyCode
const LRD = "LRD" as CurrencyCode
const RWF = "RWF" as CurrencyCode
const read = (text: string, currency = USD, billed = currency) =>
  amountLimitIn({ detail: text }, currency, billed)

describe("what a refusal says of the amounts that an operator takes", () => {
  it.each<[string, object]>([
    ["Minimum amount is 5.00 USD", { least: "5.00" }],
    ["Amount must be at least 5", { least: "5" }],
    ["amount 3.00 is below the minimum of 5.00", { least: "5.00" }],
    ["Ensure this value is greater than or equal to 5", { least: "5" }],
    ["MINIMUM_AMOUNT_5", { least: "5" }],
    ["The maximum is 1,250.00 USD.", { most: "1250.00" }],
    ["Amount may be at most 2 000", { most: "2000" }],
    ["Le montant doit être au moins 5", { least: "5" }],
    ["amount must be between 5 and 1,500.00", { least: "5", most: "1500.00" }],
    ["montant entre 5 et 1500", { least: "5", most: "1500" }],
  ])("%s", (text, limit) => {
    expect(read(text)).toEqual(limit)
    expect(isAboutAmount({ detail: text })).toBe(true)
  })

  it.each([
    "Maximum is 1,250",
    "Minimum amount is 5,00",
    "Minimum is 0",
    "The minimum is 500 LRD",
    "Daily limit: at most 500",
    "Amount exceeds available balance of at most 20",
    "amount must be between 50 and 5",
    "Amount too small",
    "amount: at most 2 decimals",
  ])("%s is not read as a number", (text) => {
    expect(read(text)).toEqual({})
  })

  it("a text without a currency means the payer's only where there is no other", () => {
    expect(read("minimum 50", LRD)).toEqual({ least: "50" })
    expect(read("minimum 50", LRD, USD)).toEqual({})
    expect(read("minimum 50 LRD", LRD, USD)).toEqual({ least: "50" })
    expect(read("minimum $50", LRD)).toEqual({})
    expect(read("minimum L$50", LRD)).toEqual({ least: "50" })
    expect(read("minimum 50.50", RWF)).toEqual({})
  })

  it("two texts that differ say nothing", () => {
    const fields = ["minimum is 5", "minimum is 6"].map((message) => ({ path: "amount", message }))
    expect(amountLimitIn({ fields }, USD, USD)).toEqual({})
    expect(isAboutAmount({ fields })).toBe(true)
  })

  it("is about the amount by its field or its words, and not by those about the wallet", () => {
    expect(isAboutAmount({ fields: [{ path: "items.0.amount", message: "odd" }] })).toBe(true)
    expect(isAboutAmount({ fields: [{ path: "payment_account_id", message: "odd" }] })).toBe(false)
    expect(isAboutAmount({ detail: "AMOUNT_TOO_SMALL" })).toBe(true)
    expect(isAboutAmount({ detail: "Montant trop faible" })).toBe(true)
    expect(isAboutAmount({ detail: "Amount exceeds the available balance" })).toBe(false)
    expect(isAboutAmount({ detail: "Phone number too small" })).toBe(false)
    expect(isAboutAmount({ detail: "String should have at least 8 characters" })).toBe(false)
    expect(isAboutAmount({ detail: "Au moins 4 chiffres" })).toBe(false)
    expect(isAboutAmount({ detail: "At most 3 times a day" })).toBe(false)
  })
})
