/** `fees/tiers` and `fees/merchant-tier`: the fee plans, and a merchant's own (contract, 9). */
import { z } from "zod"
import { inQuery, type Endpoint } from "../endpoint"
import type { OwnerType } from "./enums"
import { ENUMS } from "./enums"
import type { GatewayTime, Wire } from "./fields"
import {
  idField,
  inCamelCase,
  listReader,
  optionalFlag,
  optionalText,
  otherThanAsked,
  reader,
  recordTimes,
  textField,
} from "./fields"

/** A tier as part of another answer. */
export type FeeTierRecord = {
  readonly id: number
  /** The name to use in a {@link PlatformFeesRequest}. */
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
  readonly ownerId: number
}

export type MerchantTier = {
  readonly id: number
  readonly ownerType: string
  readonly ownerId: number
  /** Undefined: the default tier applies. */
  readonly tier?: FeeTierRecord
  readonly assignedAt?: GatewayTime
  readonly assignedBy?: string
  readonly wire: Wire
}

/** Fields of a tier, also used by answers that contain one. */
export const feeTierFields = z.object({
  id: idField,
  name: textField,
  is_default: optionalFlag,
  ...recordTimes,
})

const merchantTierSchema = z.object({
  id: idField,
  owner_type: textField,
  owner_id: idField,
  assigned_at: optionalText,
  assigned_by: optionalText,
  tier: feeTierFields.nullish(),
})

export const feeTiers: Endpoint<undefined, readonly FeeTier[]> = {
  operation: "fees.tiers",
  write: () => ({ ok: true, value: {} }),
  read: listReader(reader(feeTierFields, (fields, wire) => ({ ...fields, wire }))),
}

export const merchantTier: Endpoint<MerchantTierRequest, MerchantTier> = {
  operation: "fees.merchantTier",
  write: inQuery(z.object({ ownerType: z.enum(ENUMS.OwnerType), ownerId: z.int().positive() })),
  read: reader(merchantTierSchema, (fields, wire, { ownerId, ownerType }) => {
    const tier = fields.tier ? inCamelCase(fields.tier) : undefined
    return otherThanAsked(fields, { ownerId, ownerType }) ?? { ...fields, tier, wire }
  }),
}
