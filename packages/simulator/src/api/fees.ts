/** Fee tiers and fee rates. Percentages of tiers are texts, those of the gateway numbers. */
import type { OperationType } from "../book/records"
import { iso } from "../clock"
import { notFound } from "../problem"
import {
  DEFAULT_TIER,
  gatewayRateOf,
  merchantTypeOf,
  percentageText,
  platformBasisPointsOf,
  RATES_SINCE_MS,
  tierNamed,
  tierOf,
  TIERS,
  type Tier,
} from "../rules/fees"
import { operation, type Operation } from "./operation"

const SINCE = iso(RATES_SINCE_MS)
const ASSIGNED_BY = "simulator"

const tierAnswer = (tier: Tier) => ({
  id: tier.id,
  name: tier.name,
  is_default: tier === DEFAULT_TIER,
  created_at: SINCE,
  updated_at: SINCE,
})

const listFeeTiers = operation("listFeeTiers", () => TIERS.map(tierAnswer))

/**
 * A merchant without an assignment has the default tier, from the first day and assigned by no one.
 */
const getMerchantFeeTier = operation<undefined, { owner_type: string; owner_id: number }>(
  "getMerchantFeeTier",
  ({ world, ownerId, query }) => {
    const isOwn = query.owner_id === ownerId && query.owner_type === merchantTypeOf(world, ownerId)
    if (!isOwn) throw notFound("Merchant fee")
    const assignment = world.book.feeAssignments.get(ownerId)
    return {
      id: assignment?.id ?? DEFAULT_TIER.id,
      owner_type: query.owner_type,
      owner_id: ownerId,
      assigned_at: assignment ? iso(assignment.createdAtMs) : SINCE,
      assigned_by: assignment ? ASSIGNED_BY : null,
      tier: tierAnswer(tierOf(world, ownerId)),
    }
  },
)

type PlatformQuery = { operation_type: OperationType; fee_tier_name: string }

const getPlatformFees = operation<undefined, PlatformQuery>("getPlatformFees", ({ query }) => {
  const tier = tierNamed(query.fee_tier_name)
  return {
    id: tier.id,
    operation_type: query.operation_type,
    percentage: percentageText(platformBasisPointsOf(tier, query.operation_type)),
    fx_percentage: percentageText(tier.exchangeBasisPoints),
    effective_from: SINCE,
    created_at: SINCE,
    payment_method: null,
    fixed_fee: null,
    fixed_fee_currency: null,
    effective_to: null,
    tier: tierAnswer(tier),
  }
})

type GatewayQuery = { payment_method: string; operation_type: OperationType }

const getGatewayFees = operation<undefined, GatewayQuery>("getGatewayFees", ({ query }) => {
  const rate = gatewayRateOf(query.operation_type, query.payment_method)
  return {
    id: rate.id,
    provider_id: rate.providerId,
    operation_type: query.operation_type,
    payment_method: query.payment_method,
    percentage: Number(percentageText(rate.basisPoints)),
    created_at: SINCE,
    updated_at: SINCE,
    fixed_fee: null,
    fixed_fee_currency: null,
    effective_from: SINCE,
    effective_to: null,
  }
})

export const feeOperations: readonly Operation[] = [
  listFeeTiers,
  getMerchantFeeTier,
  getPlatformFees,
  getGatewayFees,
]
