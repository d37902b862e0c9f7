import { figuresOf } from "./figures"

const TEN_DOLLARS = { minor: 1_000, currency: "USD" } as const
const METHOD = "OPERATOR1_MOMO_LBR"

test("with PAYEE the payer pays the total and the fees come off the merchant's side", () => {
  const { payer, payee, platformFeeMinor, gatewayFeeMinor } = figuresOf(
    TEN_DOLLARS,
    "USD",
    "PAYEE",
    METHOD,
  )
  expect(payer.minor).toBe(1_000)
  expect(payee.minor + platformFeeMinor + gatewayFeeMinor).toBe(1_000)
})

test("with PAYER the merchant gets the total and the fees go on top", () => {
  const { payer, payee, platformFeeMinor, gatewayFeeMinor } = figuresOf(
    TEN_DOLLARS,
    "USD",
    "PAYER",
    METHOD,
  )
  expect(payee.minor).toBe(1_000)
  expect(payer.minor).toBe(1_000 + platformFeeMinor + gatewayFeeMinor)
})

test("an exchange fee is charged only when payer and source differ in currency", () => {
  expect(figuresOf(TEN_DOLLARS, "USD", "PAYEE", METHOD).fxFeeMinor).toBe(0)
  const exchanged = figuresOf(TEN_DOLLARS, "LRD", "PAYEE", METHOD)
  expect(exchanged.payer).toEqual({ minor: 190_000 + 1_900, currency: "LRD" })
  expect(exchanged.payee.currency).toBe("USD")
})
