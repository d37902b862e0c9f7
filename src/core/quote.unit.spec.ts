import { moneyFromMajor, parseCurrency } from "./money"
import { isQuoteChanged, quoteOf, shopperQuote } from "./quote"

const money = (amount: string, code: string) => {
  const currency = parseCurrency(code)
  const read = currency && moneyFromMajor(amount, currency)
  if (!read) throw new Error(`${amount} ${code}`)
  return read
}
const usd = { payerAmount: money("20.58", "USD"), payeeAmount: money("19.99", "USD") }
const rwf = { payerAmount: money("7667", "RWF"), payeeAmount: money("7667", "RWF") }

describe("a quote", () => {
  it.each([
    [20.58, false],
    [20.584, false],
    [20.585, true],
    [20.57, true],
    [20.59, true],
    [19.99, true],
    [0, true],
    [Number.NaN, true],
    [-20.58, true],
  ])("[B30] that was told as %p USD and is 20.58 now: changed %p", (expected, isChanged) => {
    expect(isQuoteChanged(expected, usd)).toBe(isChanged)
  })

  it.each([
    [7667, false],
    [7666, true],
    [7666.46, true],
  ])("[B30] that was told as %p RWF and is 7667 now: changed %p", (expected, isChanged) => {
    expect(isQuoteChanged(expected, rwf)).toBe(isChanged)
  })

  it("is answered in major units, with null for what is not known", () => {
    const now = new Date("2026-01-01T12:00:00Z")
    expect(
      quoteOf({ ...usd, platformFee: money("0.2", "USD"), fxFee: "0.1" }, "PAYER", now),
    ).toEqual({
      payer_amount: 20.58,
      payer_currency: "USD",
      payee_amount: 19.99,
      payee_currency: "USD",
      platform_fee: 0.2,
      gateway_fee: null,
      fx_fee: 0.1,
      fee_bearer: "PAYER",
      least: null,
      most: null,
      expires_at: "2026-01-01T12:05:00.000Z",
    })
    const all = quoteOf({ ...usd, platformFee: money("0.2", "USD"), fxFee: "0.1" }, "PAYER", now)
    // [D7] A shopper hears nothing of what the shop gets and is charged, whatever a quote has.
    expect(shopperQuote({ ...all, least: 0.5, most: 10, margin: 3 } as typeof all)).toEqual({
      payer_amount: 20.58,
      payer_currency: "USD",
      least: 0.5,
      most: 10,
      expires_at: "2026-01-01T12:05:00.000Z",
    })
    expect(quoteOf(rwf, null, now)).toMatchObject({ payer_amount: 7667, fee_bearer: null })
  })
})
