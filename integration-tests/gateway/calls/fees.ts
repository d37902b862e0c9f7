/** Calls of `gateway.fees`. */
import { TIMES } from "./call-case"
import type { CallCase } from "./call-case"

export const TIER = { id: 1, name: "standard", is_default: true, ...TIMES }
export const GATEWAY_FEE = {
  id: 4,
  provider_id: 2,
  operation_type: "COLLECTION",
  payment_method: "OPERATOR1_MOMO_LBR",
  percentage: 1.75,
  fixed_fee: 0.1,
  fixed_fee_currency: "USD",
  effective_from: "2026-01-01T00:00:00Z",
  effective_to: null,
  ...TIMES,
}
export const PLATFORM_FEE = {
  id: 5,
  operation_type: "COLLECTION",
  percentage: "1.0",
  fx_percentage: "2.25",
  payment_method: null,
  fixed_fee: null,
  fixed_fee_currency: null,
  effective_from: "2026-01-01T00:00:00Z",
  effective_to: null,
  created_at: TIMES.created_at,
  tier: TIER,
}
export const MERCHANT_TIER = {
  id: 12,
  owner_type: "ORGANIZATION",
  owner_id: 7,
  assigned_at: TIMES.created_at,
  assigned_by: null,
  tier: TIER,
}

export const FEE_CALLS: readonly CallCase[] = [
  {
    operation: "fees.gateway",
    body: GATEWAY_FEE,
    run: (gateway, options) =>
      gateway.fees.gateway(
        { paymentMethod: "OPERATOR1_MOMO_LBR", operationType: "COLLECTION" },
        options,
      ),
  },
  {
    operation: "fees.platform",
    body: PLATFORM_FEE,
    run: (gateway, options) =>
      gateway.fees.platform({ operationType: "COLLECTION", feeTierName: "standard" }, options),
  },
  {
    operation: "fees.merchantTier",
    body: MERCHANT_TIER,
    run: (gateway, options) =>
      gateway.fees.merchantTier({ ownerType: "ORGANIZATION", ownerId: 7 }, options),
  },
  {
    operation: "fees.tiers",
    body: [TIER, { ...TIER, id: 2, name: "large", is_default: false }],
    run: (gateway, options) => gateway.fees.tiers(options),
  },
]
