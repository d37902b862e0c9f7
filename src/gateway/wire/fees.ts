/** `fees/gateway` and `fees/platform`: the rates that predictions are made of (contract, 9). */
import { z } from "zod"
import type { Call, CallOptions } from "../call"
import type { Outcome } from "../outcome"
import { inQuery, type Endpoint } from "../endpoint"
import type { OperationType, PaymentMethod } from "./enums"
import { ENUMS } from "./enums"
import type { FeeTier, FeeTierRecord, MerchantTier, MerchantTierRequest } from "./fee-tiers"
import { feeTierFields, feeTiers, merchantTier } from "./fee-tiers"
import type { Figure, GatewayTime, Wire } from "./fields"
import {
  addressTextField,
  fromWire,
  idField,
  inCamelCase,
  Misfit,
  optionalId,
  optionalText,
  otherThanAsked,
  reader,
  recordTimes,
  textField,
} from "./fields"
import { decimalField, feeIn } from "./figures"

export type GatewayFeesRequest = {
  readonly paymentMethod: PaymentMethod
  readonly operationType: OperationType
}

export type GatewayFee = {
  readonly id: number
  readonly providerId?: number
  readonly operationType: string
  readonly paymentMethod: PaymentMethod
  /** Per cent, as exact decimal text: `"1.5"`. */
  readonly percentage: string
  /** On top of the percentage. A fee without a currency in the answer is in `wire` only. */
  readonly fixedFee?: Figure
  readonly effectiveFrom?: GatewayTime
  readonly effectiveTo?: GatewayTime
  readonly createdAt?: GatewayTime
  readonly updatedAt?: GatewayTime
  readonly wire: Wire
}

export type PlatformFeesRequest = {
  readonly operationType: OperationType
  /** From the tier list or the merchant's tier. */
  readonly feeTierName: string
}

export type PlatformFee = {
  readonly id: number
  readonly operationType: string
  /** Per cent, as exact decimal text: `"1.5"`. */
  readonly percentage: string
  /** Per cent on top where payer and payee currency differ, as exact decimal text. */
  readonly fxPercentage: string
  readonly paymentMethod?: PaymentMethod
  /** On top of the percentage. A fee without a currency in the answer is in `wire` only. */
  readonly fixedFee?: Figure
  readonly effectiveFrom?: GatewayTime
  readonly effectiveTo?: GatewayTime
  readonly createdAt?: GatewayTime
  readonly tier?: FeeTierRecord
  readonly wire: Wire
}

const operationType = z.enum(ENUMS.OperationType)
const gatewayAnswerSchema = z.object({
  id: idField,
  provider_id: optionalId,
  operation_type: textField,
  payment_method: textField,
  percentage: decimalField,
  fixed_fee: fromWire,
  fixed_fee_currency: fromWire,
  effective_from: optionalText,
  effective_to: optionalText,
  ...recordTimes,
})
const platformAnswerSchema = z.object({
  id: idField,
  operation_type: textField,
  percentage: decimalField,
  fx_percentage: decimalField,
  payment_method: optionalText,
  fixed_fee: fromWire,
  fixed_fee_currency: fromWire,
  effective_from: optionalText,
  effective_to: optionalText,
  created_at: optionalText,
  tier: feeTierFields.nullish(),
})

export const gatewayFees: Endpoint<GatewayFeesRequest, GatewayFee> = {
  operation: "fees.gateway",
  write: inQuery(z.object({ paymentMethod: addressTextField, operationType })),
  read: reader(gatewayAnswerSchema, (fields, wire, { operationType, paymentMethod }) => {
    const other = otherThanAsked(fields, { operationType, paymentMethod })
    if (other) return other
    const fixedFee = feeIn(wire, "fixed_fee", "fixed_fee_currency")
    return fixedFee instanceof Misfit ? fixedFee : { ...fields, fixedFee, wire }
  }),
}

export const platformFees: Endpoint<PlatformFeesRequest, PlatformFee> = {
  operation: "fees.platform",
  write: inQuery(z.object({ operationType, feeTierName: addressTextField })),
  read: reader(platformAnswerSchema, (fields, wire, { operationType, feeTierName }) => {
    const other = otherThanAsked(fields, { operationType })
    if (other) return other
    const tier = fields.tier ? inCamelCase(fields.tier) : undefined
    if (tier && tier.name !== feeTierName) {
      return new Misfit("tier.name", "another tier than asked for")
    }
    const fixedFee = feeIn(wire, "fixed_fee", "fixed_fee_currency")
    return fixedFee instanceof Misfit ? fixedFee : { ...fields, fixedFee, tier, wire }
  }),
}

/** The rates of the day (contract, 9). What a payment really cost is in its receipt. */
export type Fees = {
  /**
   * The gateway's rate for one method and kind of execution: per cent as decimal text, plus a fixed
   * fee. `refused` with `NotFound` or `Invalid`: no rate for the two (contract, 9).
   */
  gateway(request: GatewayFeesRequest, options?: CallOptions): Promise<Outcome<GatewayFee>>
  /**
   * The platform's rate of one tier for one kind of execution, with its share for exchange.
   * `refused` with `NotFound` or `Invalid`: no such tier, or no rate in it (contract, 9).
   */
  platform(request: PlatformFeesRequest, options?: CallOptions): Promise<Outcome<PlatformFee>>
  /**
   * The tier that the merchant has; none means the default one. `refused` with `NotFound`: nothing
   * is assigned to this merchant (specification, "Merchant fee tier"; contract, 9).
   */
  merchantTier(request: MerchantTierRequest, options?: CallOptions): Promise<Outcome<MerchantTier>>
  /** All tiers, in one answer without pages (specification, "List fee tiers"; contract, 9). */
  tiers(options?: CallOptions): Promise<Outcome<readonly FeeTier[]>>
}

export const feesOf = (call: Call): Fees => ({
  gateway: (request, options) => call(gatewayFees, request, options),
  platform: (request, options) => call(platformFees, request, options),
  merchantTier: (request, options) => call(merchantTier, request, options),
  tiers: (options) => call(feeTiers, undefined, options),
})
