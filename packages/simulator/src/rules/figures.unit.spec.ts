import type { FeeBearer } from "../book/records"
import type { Currency } from "../money"
import { createExchange } from "./exchange"
import { DEFAULT_TIER, feeRatesOf, TIERS, type Tier } from "./fees"
import { figuresOf } from "./figures"

const TEN_DOLLARS = { minor: 1_000, currency: "USD" } as const
const METHOD = "OPERATOR1_MOMO_LBR"

const figures = (payerCurrency: Currency, feeBearer: FeeBearer, tier: Tier = DEFAULT_TIER) =>
  figuresOf(
    { total: TEN_DOLLARS, payerCurrency, feeBearer },
    feeRatesOf(tier, "COLLECTION", METHOD),
    createExchange(),
  )

test("with PAYEE the payer pays the total and the fees come off the merchant's side", () => {
  const { payer, payee, platformFeeMinor, gatewayFeeMinor } = figures("USD", "PAYEE")
  expect(payer.minor).toBe(1_000)
  expect([platformFeeMinor, gatewayFeeMinor]).toEqual([10, 15])
  expect(payee.minor + platformFeeMinor + gatewayFeeMinor).toBe(1_000)
})

test("with PAYER the merchant gets the total and the fees go on top", () => {
  const { payer, payee, platformFeeMinor, gatewayFeeMinor } = figures("USD", "PAYER")
  expect(payee.minor).toBe(1_000)
  expect(payer.minor).toBe(1_000 + platformFeeMinor + gatewayFeeMinor)
})

test("an exchange fee is charged only when payer and source differ in currency", () => {
  expect(figures("USD", "PAYEE")).toMatchObject({ fxFeeMinor: 0, fxRate: null })
  const exchanged = figures("LRD", "PAYEE")
  expect(exchanged.payer).toEqual({ minor: 190_000 + 1_900, currency: "LRD" })
  expect(exchanged.payee.currency).toBe("USD")
  expect(exchanged.fxRate).toBe("190")
})

test("a higher tier costs less, in platform fees and in exchange fees", () => {
  const costs = TIERS.map((tier) => {
    const { platformFeeMinor, fxFeeMinor } = figures("LRD", "PAYEE", tier)
    return [platformFeeMinor, fxFeeMinor]
  })
  expect(costs).toEqual([
    [10, 1_900],
    [8, 1_425],
    [5, 950],
  ])
})

test("only a collection costs something", () => {
  const rates = (["PAYOUT", "TRANSFER", "REFUND"] as const).map((type) =>
    feeRatesOf(DEFAULT_TIER, type, METHOD),
  )
  for (const { platformBasisPoints, gatewayBasisPoints } of rates) {
    expect([platformBasisPoints, gatewayBasisPoints]).toEqual([0, 0])
  }
})
