import { money, PHONE } from "../../../../integration-tests/gateway/calls"
import {
  GATEWAY_FEE,
  MERCHANT_TIER,
  PLATFORM_FEE,
  TIER,
} from "../../../../integration-tests/gateway/calls/fees"
import { MERCHANT } from "../../../../integration-tests/gateway/calls/merchants"
import { misread, read, refused } from "../../../../integration-tests/gateway/reading"
import { feeTiers, gatewayFees, merchantTier, platformFees } from "./fees"
import { merchantInfo } from "./merchants"

const gatewayRequest = {
  paymentMethod: "OPERATOR1_MOMO_LBR",
  operationType: "COLLECTION" as const,
}
const platformRequest = { operationType: "COLLECTION" as const, feeTierName: "standard" }
const tierRequest = { ownerType: "ORGANIZATION" as const, ownerId: 7 }
const merchantRequest = { merchantId: 7, merchantType: "ORGANIZATION" as const }
const TIER_READ = {
  id: 1,
  name: "standard",
  isDefault: true,
  createdAt: "2026-06-01T10:00:00Z",
  updatedAt: "2026-06-01T10:00:00Z",
}

describe("fees/gateway", () => {
  it("reads the percentage as exact text, from a number or from text", () => {
    expect(read(gatewayFees, GATEWAY_FEE, gatewayRequest)).toMatchObject({
      id: 4,
      providerId: 2,
      operationType: "COLLECTION",
      paymentMethod: "OPERATOR1_MOMO_LBR",
      percentage: "1.75",
      fixedFee: { ...money("0.10"), exact: "0.1" },
      effectiveFrom: "2026-01-01T00:00:00Z",
    })
    const text = { ...GATEWAY_FEE, percentage: "0.1250", fixed_fee: null, fixed_fee_currency: null }
    expect(read(gatewayFees, text, gatewayRequest).percentage).toBe("0.1250")
    expect(read(gatewayFees, text, gatewayRequest).fixedFee).toBeUndefined()
  })

  it.each([
    ["id", { id: null }],
    ["percentage", { percentage: undefined }],
    ["percentage", { percentage: "2%" }],
    ["percentage", { percentage: -1 }],
    ["fixed_fee", { fixed_fee: "a lot" }],
    ["fixed_fee_currency", { fixed_fee_currency: "dollars" }],
    ["operation_type", { operation_type: "PAYOUT" }],
    ["payment_method", { payment_method: "CREDIT_CARD" }],
  ])("[N13][N27] is not read when %s is wrong", (path, change) => {
    expect(misread(gatewayFees, { ...GATEWAY_FEE, ...change }, gatewayRequest)).toEqual([path])
  })

  it("is refused before sending without a method", () => {
    expect(refused(gatewayFees, { ...gatewayRequest, paymentMethod: "" })).toEqual([
      "paymentMethod",
    ])
  })
})

describe("fees/platform", () => {
  it("reads both percentages and the tier", () => {
    expect(read(platformFees, PLATFORM_FEE, platformRequest)).toMatchObject({
      id: 5,
      percentage: "1.0",
      fxPercentage: "2.25",
      tier: TIER_READ,
    })
    expect(read(platformFees, { ...PLATFORM_FEE, tier: null }, platformRequest).tier).toBe(
      undefined,
    )
  })

  it.each([
    ["fx_percentage", { fx_percentage: null }],
    ["operation_type", { operation_type: "REFUND" }],
    ["tier.name", { tier: { ...TIER, name: "large" } }],
    ["tier.id", { tier: { name: "standard" } }],
  ])("[N13][N27] is not read when %s is wrong", (path, change) => {
    expect(misread(platformFees, { ...PLATFORM_FEE, ...change }, platformRequest)).toEqual([path])
  })

  it("is refused before sending without a tier", () => {
    expect(refused(platformFees, { ...platformRequest, feeTierName: "" })).toEqual(["feeTierName"])
  })
})

describe("fees/merchant-tier", () => {
  it("reads which tier the merchant has, or that it has none", () => {
    expect(read(merchantTier, MERCHANT_TIER, tierRequest)).toMatchObject({
      id: 12,
      ownerType: "ORGANIZATION",
      ownerId: 7,
      assignedAt: "2026-06-01T10:00:00Z",
      tier: TIER_READ,
    })
    expect(read(merchantTier, { ...MERCHANT_TIER, tier: null }, tierRequest).tier).toBeUndefined()
  })

  it.each([
    ["owner_id", { owner_id: 8 }],
    ["owner_type", { owner_type: "USER" }],
    ["tier.name", { tier: { id: 1 } }],
  ])("[N13][N27] is not read when %s is wrong", (path, change) => {
    expect(misread(merchantTier, { ...MERCHANT_TIER, ...change }, tierRequest)).toEqual([path])
  })

  it("is refused before sending without an owner", () => {
    expect(refused(merchantTier, { ...tierRequest, ownerId: 0 })).toEqual(["ownerId"])
  })
})

describe("fees/tiers", () => {
  it("reads all of them, each with what it has no name for", () => {
    const odd = { id: 2, name: "large", surprise: true }
    expect(read(feeTiers, [TIER, odd], undefined)).toEqual([
      { ...TIER_READ, wire: TIER },
      { id: 2, name: "large", wire: odd },
    ])
    expect(read(feeTiers, [], undefined)).toEqual([])
  })

  it("[N13] is not read when one of them can't be", () => {
    expect(misread(feeTiers, [TIER, { id: 2 }], undefined)).toEqual(["1.name"])
    expect(misread(feeTiers, { tiers: [] }, undefined)).toEqual([""])
  })
})

describe("merchants/merchant-info", () => {
  it("reads the profile, without what is null", () => {
    expect(read(merchantInfo, MERCHANT, merchantRequest)).toMatchObject({
      id: 7,
      name: "Test Shop",
      type: "ORGANIZATION",
      email: "shop@example.com",
      phone: PHONE,
    })
    const bare = { ...MERCHANT, email: null, phone: null }
    expect(read(merchantInfo, bare, merchantRequest).email).toBeUndefined()
    expect(read(merchantInfo, bare, merchantRequest).phone).toBeUndefined()
  })

  it.each([
    ["id", { id: 8 }],
    ["type", { type: "MICRO_ORGANIZATION" }],
    ["name", { name: "" }],
  ])("[N13][N27] is not read when %s is wrong", (path, change) => {
    expect(misread(merchantInfo, { ...MERCHANT, ...change }, merchantRequest)).toEqual([path])
  })

  it("is refused before sending for a kind of merchant that the contract does not have", () => {
    const change: object = { merchantId: 0, merchantType: "USER" }
    expect(refused(merchantInfo, { ...merchantRequest, ...change })).toEqual([
      "merchantId",
      "merchantType",
    ])
  })
})
