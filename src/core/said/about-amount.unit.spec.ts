import { isAboutAmount } from "./about-amount"

describe("a refusal is about the amount", () => {
  it.each([
    "Minimum amount is 5.00 USD",
    "Amount must be at least 5",
    "amount 3.00 is below the minimum of 5.00",
    "Ensure this value is greater than or equal to 5",
    "MINIMUM_AMOUNT_5",
    "AMOUNT_TOO_SMALL",
    "The maximum is 1,250.00 USD.",
    "Amount may be at most 2 000",
    "Le montant doit être au moins 5",
    "Montant trop faible",
    "amount must be between 5 and 1,500.00",
    "montant entre 5 et 1500",
  ])("by the words %s", (detail) => {
    expect(isAboutAmount({ detail })).toBe(true)
  })

  it.each([
    "Daily limit: at most 500",
    "Amount exceeds the available balance",
    "Phone number too small",
    "String should have at least 8 characters",
    "Au moins 4 chiffres",
    "At most 3 times a day",
    "less than a minute",
  ])("but not by the words %s", (detail) => {
    expect(isAboutAmount({ detail })).toBe(false)
  })

  it("by its field, whatever the words", () => {
    expect(isAboutAmount({ fields: [{ path: "items.0.amount", message: "odd" }] })).toBe(true)
    expect(isAboutAmount({ fields: [{ path: "payment_account_id", message: "odd" }] })).toBe(false)
  })
})
