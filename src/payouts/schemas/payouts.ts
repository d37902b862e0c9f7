/**
 * A payout or a transfer as the admin API answers it. Absent values are null; amounts are in major
 * units.
 */
import { z } from "zod"
import { type CounterpartyId, idFrom, type WalletId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import { PAYOUT_TYPES, STATES } from "../../core/operation"
import { invalidAs } from "../../core/refusal"
import {
  count,
  number,
  type Output,
  phone,
  text,
  time,
  writtenNote,
} from "../../core/schemas/shapes"

export const adminPayout = z.strictObject({
  id: text,
  type: z.enum(PAYOUT_TYPES),
  /**
   * `submitted` and `in_flight`: the money is on its way, or not known yet. Only `completed` is
   * paid.
   */
  state: z.enum(STATES),
  /** Why it ended, or why an admin must decide. */
  reason: text.nullable(),
  amount: number,
  currency: text,
  /**
   * Payout: who is paid. Only the last three digits of the number are known. Null for a transfer.
   */
  recipient: z
    .strictObject({
      name: text,
      phone_hint: text.nullable(),
    })
    .nullable(),
  operator: z
    .strictObject({
      payment_method: text,
      carrier: text.nullable(),
    })
    .nullable(),
  /** The wallet that is debited, as the gateway numbers it. */
  from_wallet_id: number.nullable(),
  /** Transfer: the counterparty that gets the money. Null for a payout. */
  to_counterparty_id: number.nullable(),
  /** What left the wallet and what arrived, with the fees, as the gateway said. */
  debited_amount: number.nullable(),
  debited_currency: text.nullable(),
  received_amount: number.nullable(),
  received_currency: text.nullable(),
  reference: text.nullable(),
  provider_transaction_id: text.nullable(),
  idempotency_key: text,
  created_by: text.nullable(),
  created_at: time,
  submitted_at: time.nullable(),
  checked_at: time.nullable(),
  /** When the gateway is asked next; null: not any more. */
  next_check_at: time.nullable(),
})
export type AdminPayout = Output<typeof adminPayout>

export const adminPayoutResponse = z.strictObject({
  payout: adminPayout,
})
export type AdminPayoutResponse = Output<typeof adminPayoutResponse>

export const adminTransferResponse = z.strictObject({
  transfer: adminPayout,
})
export type AdminTransferResponse = Output<typeof adminTransferResponse>

const page = { count, limit: count, offset: count }
export const payoutsResponse = z.strictObject({ payouts: z.array(adminPayout), ...page })
export const transfersResponse = z.strictObject({ transfers: z.array(adminPayout), ...page })

export const idempotencyKey = z.string().regex(/^[\x21-\x7e]{8,200}$/, invalidAs("idempotency_key"))
const gatewayId = z.int().positive(invalidAs("positive"))

const money = {
  /** The header `Idempotency-Key` may have it instead. */
  idempotency_key: idempotencyKey.optional(),
  /** A number, or decimal text, in major units. */
  amount: z.union([z.number(), z.string().min(1).max(64)]),
  currency: z.string().length(3),
  note: writtenNote(500).nullish(),
}

export const payoutBody = z.object({
  ...money,
  name: z.string().trim().min(1).max(100),
  phone,
  country_code: z.string().length(2).nullish(),
  /** The merchant's passcode at the gateway. It is sent on and never stored. */
  passcode: z
    .string()
    .min(4)
    .max(64)
    .regex(/^[\x21-\x7e]+$/, invalidAs("printable")),
  passcode_phone: z
    .string()
    .regex(/^[1-9]\d{7,14}$/, invalidAs("digits"))
    .nullish(),
  passcode_user_id: z.string().min(1).max(100).nullish(),
})

export const transferBody = z.object({
  ...money,
  from_wallet_id: gatewayId.transform((id) => idFrom<WalletId>(id)),
  to_counterparty_id: gatewayId.transform((id) => idFrom<CounterpartyId>(id)),
})
export type PayoutBody = z.output<typeof payoutBody>
export type MoneyOutBody = z.output<z.ZodObject<typeof money>>

export const payoutsQuery = z.object({
  limit: z.coerce.number().int().min(1).max(LIMITS.listPageMax).default(20),
  offset: z.coerce.number().int().min(0).max(LIMITS.listCountMax).default(0),
  /** Several as `a,b`. */
  state: z
    .string()
    .max(200)
    .transform((given) => given.split(","))
    .pipe(z.array(z.enum(STATES)).min(1))
    .optional(),
})
