/**
 * `GET /v1/fees/tiers` and `…/merchant-tier`: the named fee plans, and the one that a merchant has
 * (contract, 9).
 */
import { z } from "zod"
import type { Endpoint } from "../endpoint"
import { checkedBy } from "../endpoint"
import type { OwnerType } from "./enums"
import { ENUMS } from "./enums"
import type { Wire } from "./fields"
import {
  idField,
  listReader,
  Misfit,
  optionalFlag,
  optionalText,
  reader,
  textField,
} from "./fields"

/** A tier as part of another answer. */
export type FeeTierRecord = {
  readonly id: number
  /** The name to use in a {@link PlatformFeesRequest}. */
  readonly name: string
  /** At most one tier is the default; it applies to merchants without a tier. */
  readonly isDefault?: boolean
  /** ISO 8601, as the gateway wrote it. */
  readonly createdAt?: string
  readonly updatedAt?: string
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
  /** ISO 8601, as the gateway wrote it. */
  readonly assignedAt?: string
  readonly assignedBy?: string
  readonly wire: Wire
}

/** Fields of a tier, also used by answers that contain one. */
export const feeTierFields = z.object({
  id: idField,
  name: textField,
  is_default: optionalFlag,
  created_at: optionalText,
  updated_at: optionalText,
})

export const feeTierRecord = (fields: z.output<typeof feeTierFields>): FeeTierRecord => ({
  id: fields.id,
  name: fields.name,
  isDefault: fields.is_default,
  createdAt: fields.created_at,
  updatedAt: fields.updated_at,
})

const merchantTierRequestSchema = z.object({
  ownerType: z.enum(ENUMS.OwnerType),
  ownerId: z.int().positive(),
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
  problemsWith: () => undefined,
  write: () => ({}),
  read: listReader(reader(feeTierFields, (fields, wire) => ({ ...feeTierRecord(fields), wire }))),
}

export const merchantTier: Endpoint<MerchantTierRequest, MerchantTier> = {
  operation: "fees.merchantTier",
  problemsWith: checkedBy(merchantTierRequestSchema),
  write: ({ ownerType, ownerId }) => ({
    query: { owner_type: ownerType, owner_id: String(ownerId) },
  }),
  read: reader(merchantTierSchema, (fields, wire, request) => {
    if (fields.owner_id !== request.ownerId) {
      return new Misfit("owner_id", "another merchant than asked for")
    }
    if (fields.owner_type !== request.ownerType) {
      return new Misfit("owner_type", "another kind of merchant than asked for")
    }
    return {
      id: fields.id,
      ownerType: fields.owner_type,
      ownerId: fields.owner_id,
      tier: fields.tier ? feeTierRecord(fields.tier) : undefined,
      assignedAt: fields.assigned_at,
      assignedBy: fields.assigned_by,
      wire,
    }
  }),
}
