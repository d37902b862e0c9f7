/** `fees/…`: the rates behind predictions, the fee tiers, and a merchant's tier (contract, 9). */
import { z } from "zod"
import type { Given, MerchantId } from "../terms/ids"
import { methodOf, type Call, type CallOptions } from "../call"
import { inQuery, type Endpoint } from "../endpoint"
import { ENUMS, type OperationType, type OwnerType, type PaymentMethod } from "./enums"
import * as field from "./fields"
import type { Figure, GatewayTime, Wire } from "./reading"
import { listReader, UnusableField, otherThanAsked, part, reader, recordReader } from "./reading"
import { decimalField, feeIn } from "./figures"

/** A tier as part of another answer. */
export type FeeTierRecord = {
  readonly id: number
  /** The tier's name, to use in a {@link PlatformFeesRequest}. */
  readonly name: string
  /** At most one tier is the default; it applies to merchants without a tier. */
  readonly isDefault?: boolean
  readonly createdAt?: GatewayTime
  readonly updatedAt?: GatewayTime
}

export type FeeTier = FeeTierRecord & { readonly wire: Wire }

export type MerchantTierRequest = {
  readonly ownerType: OwnerType
  /** The merchant's id, from the merchant portal. */
  readonly ownerId: Given<MerchantId>
}

export type MerchantTier = {
  readonly id: number
  readonly ownerType: string
  readonly ownerId: MerchantId
  /** The merchant's own tier. Undefined: the default tier applies. */
  readonly tier?: FeeTierRecord
  readonly assignedAt?: GatewayTime
  readonly assignedBy?: string
  readonly wire: Wire
}

type Fee = {
  readonly id: number
  readonly operationType: string
  /** The rate in per cent, as exact decimal text: `"1.5"`. */
  readonly percentage: string
  /** Added to the percentage. A fixed fee without a currency in the answer is in `wire` only. */
  readonly fixedFee?: Figure
  readonly effectiveFrom?: GatewayTime
  readonly effectiveTo?: GatewayTime
  readonly createdAt?: GatewayTime
  readonly wire: Wire
}

export type GatewayFeesRequest = {
  readonly paymentMethod: PaymentMethod
  readonly operationType: OperationType
}

export type GatewayFee = Fee & {
  readonly providerId?: number
  readonly paymentMethod: PaymentMethod
  readonly updatedAt?: GatewayTime
}

export type PlatformFeesRequest = {
  readonly operationType: OperationType
  /** The name of a tier, from the tier list or the merchant's tier. */
  readonly feeTierName: string
}

export type PlatformFee = Fee & {
  /** Per cent added when payer and payee currency differ, as exact decimal text. */
  readonly fxPercentage: string
  readonly paymentMethod?: PaymentMethod
  readonly tier?: FeeTierRecord
}

const feeTierFields = z.object({
  id: field.id,
  name: field.exactText,
  is_default: field.optionalFlag,
  ...field.recordTimes,
})

const merchantTierSchema = z.object({
  id: field.id,
  owner_type: field.word(ENUMS.OwnerType),
  owner_id: field.idOf<MerchantId>(),
  assigned_at: field.optionalTime,
  assigned_by: field.optionalText,
  tier: part(feeTierFields),
})

const operationType = z.enum(ENUMS.OperationType)
const feeFields = {
  id: field.id,
  operation_type: field.word(ENUMS.OperationType),
  percentage: decimalField,
  fixed_fee: field.fromWire,
  fixed_fee_currency: field.fromWire,
  effective_from: field.optionalTime,
  effective_to: field.optionalTime,
  created_at: field.optionalTime,
}
const gatewayAnswerSchema = z.object({
  ...feeFields,
  provider_id: field.optionalId,
  payment_method: field.exactText,
  updated_at: field.optionalTime,
})
const platformAnswerSchema = z.object({
  ...feeFields,
  fx_percentage: decimalField,
  payment_method: field.optionalExact,
  tier: part(feeTierFields),
})

export const feeTiers: Endpoint<undefined, readonly FeeTier[]> = {
  operation: "fees.tiers",
  write: () => ({ ok: true, value: {} }),
  read: listReader(recordReader(feeTierFields)),
}

export const merchantTier: Endpoint<MerchantTierRequest, MerchantTier> = {
  operation: "fees.merchantTier",
  write: inQuery(z.object({ ownerType: z.enum(ENUMS.OwnerType), ownerId: z.int().positive() })),
  read: recordReader(merchantTierSchema, ({ ownerId, ownerType }) => ({ ownerId, ownerType })),
}

export const gatewayFees: Endpoint<GatewayFeesRequest, GatewayFee> = {
  operation: "fees.gateway",
  write: inQuery(z.object({ paymentMethod: field.addressText, operationType })),
  read: reader(gatewayAnswerSchema, (fields, wire, { operationType, paymentMethod }) => {
    const other = otherThanAsked(fields, { operationType, paymentMethod })
    if (other) return other
    const fixedFee = feeIn(wire, "fixed_fee", "fixed_fee_currency")
    return fixedFee instanceof UnusableField ? fixedFee : { ...fields, fixedFee, wire }
  }),
}

export const platformFees: Endpoint<PlatformFeesRequest, PlatformFee> = {
  operation: "fees.platform",
  write: inQuery(z.object({ operationType, feeTierName: field.addressText })),
  read: reader(platformAnswerSchema, (fields, wire, { operationType, feeTierName }) => {
    const other = otherThanAsked(fields, { operationType })
    if (other) return other
    if (fields.tier && fields.tier.name !== feeTierName) {
      return new UnusableField("tier.name", "another tier than asked for")
    }
    const fixedFee = feeIn(wire, "fixed_fee", "fixed_fee_currency")
    return fixedFee instanceof UnusableField ? fixedFee : { ...fields, fixedFee, wire }
  }),
}

/** The rates of today (contract, 9). A receipt shows what its payment really cost. */
export const feesOf = (call: Call) => ({
  /**
   * The gateway's rate for one payment method and kind of execution: per cent as decimal text, plus
   * a fixed fee. `refused` with `NotFound` or `Invalid`: this pair has no rate (contract, 9).
   */
  gateway: methodOf(call, gatewayFees),
  /**
   * The platform's rate in one tier for one kind of execution, with the per cent for exchange.
   * `refused` with `NotFound` or `Invalid`: no such tier, or no rate in it (contract, 9).
   */
  platform: methodOf(call, platformFees),
  /**
   * The merchant's tier; an answer without one means the default tier. `refused` with `NotFound`:
   * no tier is assigned to this merchant (specification, "Merchant fee tier"; contract, 9).
   */
  merchantTier: methodOf(call, merchantTier),
  /** All tiers, in one answer without pages (specification, "List fee tiers"; contract, 9). */
  tiers: (options?: CallOptions) => call(feeTiers, undefined, options),
})
