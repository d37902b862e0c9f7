import { saysKnownAlready, saysOtherWaits } from "./refused-words"

const detail = (text: string) => ({ status: 422, detail: text })

describe("the words of a refusal", () => {
  it.each([
    "Payment account already registered",
    "account_number: this number is already registered for the party",
    "ACCOUNT_ALREADY_EXISTS",
    "duplicate key value violates unique constraint",
    "A payment account for this number exists",
    "Ce numéro est déjà enregistré",
  ])("%s says that it is there already", (text) => {
    expect(saysKnownAlready(detail(text))).toBe(true)
    const fields = [{ path: "insensitive_account_number", message: text }]
    expect(saysKnownAlready({ status: 422, fields })).toBe(true)
  })

  it.each([
    "Not a phone number in E.164 digits without +",
    "The method does not serve this phone number",
    "This number does not exist",
    "Le compte n’existe pas",
    "The number is not registered for mobile money",
    "A payment is already in progress for this number",
    "",
  ])("%s does not", (text) => {
    expect(saysKnownAlready(detail(text))).toBe(false)
  })

  it("a 409 says so whatever its words are, but for the opposite", () => {
    expect(saysKnownAlready({ status: 409 })).toBe(true)
    expect(saysKnownAlready({ status: 409, detail: "Conflict" })).toBe(true)
    expect(saysKnownAlready({ status: 409, detail: "The party does not exist" })).toBe(false)
  })

  it.each([
    "There is a pending transaction for this number",
    "PENDING_TRANSACTION",
    "Another payment is in progress",
    "A payment request for this subscriber is already in progress",
    "Une transaction est en cours pour ce numéro",
    "Demande en attente",
  ])("%s says that another payment waits", (text) => {
    expect(saysOtherWaits(detail(text))).toBe(true)
  })

  it.each([
    "Use another payment method",
    "Try another number",
    "Payment account already registered",
    "The payment was refused",
    "The other party is unknown",
  ])("%s does not say that", (text) => {
    expect(saysOtherWaits(detail(text))).toBe(false)
  })
})
