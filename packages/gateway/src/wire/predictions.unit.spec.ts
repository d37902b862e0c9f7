import { currency, money, OPERATOR, PHONE } from "../../../../integration-tests/gateway/calls"
import { AMOUNTS, CARD, CARD_TOKEN } from "../../../../integration-tests/gateway/calls/predictions"
import { misread, read, refused, written } from "../../../../integration-tests/gateway/reading"
import {
  amountAndFees,
  cardProviderInfo,
  mmoProviderInfo,
  sourceAmountAndFees,
} from "./predictions"

const request = {
  baseAmount: money("42.50"),
  targetCurrency: currency("LRD"),
  paymentMethod: "OPERATOR1_MOMO_LBR",
  provider: "MOBILE_MONEY_GATEWAY",
  operationType: "COLLECTION" as const,
  feeBearer: "PAYER" as const,
}
const sourceRequest = {
  sourceType: "INVOICE" as const,
  sourceId: 301,
  targetCurrency: currency("USD"),
  paymentMethod: "CREDIT_CARD",
  provider: "CARD_PROCESSOR",
}

/** Requests that the types refuse but JavaScript can make. */
const untyped = (change: object) => ({ ...request, ...change }) as typeof request

describe("predictions/amount-and-fees", () => {
  it("asks with the amount as plain decimal text", () => {
    expect(written(amountAndFees, { ...request, baseAmount: money("0.10") }).query).toEqual({
      base_amount: "0.10",
      base_currency: "USD",
      target_currency: "LRD",
      payment_method: "OPERATOR1_MOMO_LBR",
      operation_type: "COLLECTION",
      provider: "MOBILE_MONEY_GATEWAY",
      fee_bearer: "PAYER",
    })
  })

  it("asks for the merchant's own tier", () => {
    const owned = { ...request, ownerType: "ORGANIZATION" as const, ownerId: 7 }
    expect(written(amountAndFees, owned).query).toMatchObject({
      owner_type: "ORGANIZATION",
      owner_id: 7,
    })
  })

  it("reads amounts from text with every digit, and without what is null", () => {
    const exchanged = {
      ...AMOUNTS,
      payer_amount: "8095.2381",
      payer_currency: "LRD",
      fx_fee: "0.850",
    }
    expect(read(amountAndFees, exchanged, request)).toEqual({
      payerAmount: { ...money("8095.24", "LRD"), exact: "8095.2381" },
      payeeAmount: { ...money("42.50"), exact: "42.50" },
      platformFee: { ...money("0.42"), exact: "0.42" },
      gatewayFee: { ...money("0.18"), exact: "0.18" },
      fxFee: "0.850",
      wire: exchanged,
    })
    const bare = { ...AMOUNTS, gateway_fee: null, gateway_currency: null }
    expect(read(amountAndFees, bare, request).gatewayFee).toBeUndefined()
    expect(read(amountAndFees, bare, request).fxFee).toBeUndefined()
  })

  it("reads amounts that come as numbers", () => {
    const numbers = { ...AMOUNTS, payer_amount: 43.1, platform_fee: 0, fx_fee: 0.1 }
    expect(read(amountAndFees, numbers, request)).toMatchObject({
      payerAmount: { ...money("43.10"), exact: "43.1" },
      platformFee: { minor: 0n },
      fxFee: "0.1",
    })
  })

  it("leaves a fee without a currency to the wire", () => {
    const odd = { ...AMOUNTS, gateway_currency: null }
    expect(read(amountAndFees, odd, request).gatewayFee).toBeUndefined()
    expect(read(amountAndFees, odd, request).wire["gateway_fee"]).toBe("0.18")
  })

  it.each([
    ["payer_amount", { payer_amount: undefined }],
    ["payer_amount", { payer_amount: "43,100" }],
    ["payer_amount", { payer_amount: "-1" }],
    ["payer_currency", { payer_currency: null }],
    ["payee_amount", { payee_amount: null }],
    ["payee_currency", { payee_currency: "US dollar" }],
  ])("[N13] is not read when %s is wrong", (path, change) => {
    expect(misread(amountAndFees, { ...AMOUNTS, ...change }, request)).toEqual([path])
    expect(misread(sourceAmountAndFees, { ...AMOUNTS, ...change }, sourceRequest)).toEqual([path])
  })

  it.each([
    ["baseAmount", { baseAmount: money("0") }],
    ["targetCurrency", { targetCurrency: "lrd" }],
    ["paymentMethod", { paymentMethod: "" }],
    ["provider", { provider: "a\nb" }],
    ["operationType", { operationType: "SALE" }],
    ["feeBearer", { feeBearer: "SHOP" }],
    ["ownerType", { ownerId: 7 }],
    ["ownerId", { ownerType: "USER" }],
    ["ownerId", { ownerType: "USER", ownerId: 0 }],
  ])("is refused before sending when %s is wrong", (path, change) => {
    expect(refused(amountAndFees, untyped(change))).toEqual([path])
  })
})

describe("predictions/payment-source/amount-and-fees", () => {
  it("asks by source", () => {
    expect(written(sourceAmountAndFees, sourceRequest).query).toEqual({
      target_currency: "USD",
      payment_method: "CREDIT_CARD",
      provider: "CARD_PROCESSOR",
      source_type: "INVOICE",
      source_id: 301,
    })
  })

  it.each([
    ["sourceType", { sourceType: "SUBSCRIPTION" }],
    ["sourceId", { sourceId: 0 }],
    ["targetCurrency", { targetCurrency: "DOLLARS" }],
    ["paymentMethod", { paymentMethod: "" }],
    ["provider", { provider: "" }],
  ])("is refused before sending when %s is wrong", (path, change) => {
    const wrong = { ...sourceRequest, ...change } as typeof sourceRequest
    expect(refused(sourceAmountAndFees, wrong)).toEqual([path])
  })
})

describe("predictions/mmo-provider-info", () => {
  it("asks for collecting unless told otherwise", () => {
    expect(written(mmoProviderInfo, { phone: PHONE }).query).toEqual({
      phone: PHONE,
      operation_type: "COLLECTION",
    })
    expect(written(mmoProviderInfo, { phone: PHONE, operationType: "PAYOUT" }).query).toEqual({
      phone: PHONE,
      operation_type: "PAYOUT",
    })
  })

  it("reads what the wallet can be used for", () => {
    expect(read(mmoProviderInfo, OPERATOR, { phone: PHONE }).operationType).toBe("COLLECTION")
  })

  it("is refused before sending with a phone that has a plus", () => {
    expect(refused(mmoProviderInfo, { phone: `+${PHONE}` })).toEqual(["phone"])
  })
})

describe("predictions/card-provider-info", () => {
  it("asks by token, with a provider only where one is given", () => {
    expect(written(cardProviderInfo, { paymentMethodId: CARD_TOKEN }).query).toEqual({
      payment_method_id: CARD_TOKEN,
      operation_type: "COLLECTION",
    })
    const routed = { paymentMethodId: CARD_TOKEN, provider: "CARD_PROCESSOR" }
    expect(written(cardProviderInfo, routed).query).toMatchObject({ provider: "CARD_PROCESSOR" })
  })

  it("reads routing, brand and currencies", () => {
    expect(read(cardProviderInfo, CARD, { paymentMethodId: CARD_TOKEN })).toEqual({
      paymentMethod: "CREDIT_CARD",
      provider: "CARD_PROCESSOR",
      brand: "brand1",
      country: "US",
      currencies: ["USD"],
      operationType: "COLLECTION",
      wire: CARD,
    })
  })

  it("does without what is only assumed", () => {
    const scant = { payment_method: "CREDIT_CARD", gateway_provider: "CARD_PROCESSOR" }
    expect(read(cardProviderInfo, scant, { paymentMethodId: CARD_TOKEN }).currencies).toEqual([])
  })

  it("[N13] is not read without its routing", () => {
    expect(misread(cardProviderInfo, {}, { paymentMethodId: CARD_TOKEN })).toEqual([
      "payment_method",
      "gateway_provider",
    ])
  })

  it.each([
    ["paymentMethodId", { paymentMethodId: "" }],
    ["paymentMethodId", { paymentMethodId: "\ud800" }],
    ["provider", { paymentMethodId: "pm_1", provider: "" }],
  ])("is refused before sending when %s is wrong", (path, wrong) => {
    expect(refused(cardProviderInfo, wrong)).toEqual([path])
  })
})
