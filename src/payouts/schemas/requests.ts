/** A request of two admins as the admin API answers it. Absent values are null. */
import { z } from "zod"
import { PROPOSAL_NAMES } from "../../core/schemas/stored-account"
import { LIMITS } from "../../core/limits"
import { number, type Output, text, time, writtenNote } from "../../core/schemas/shapes"
import { REQUEST_KINDS, REQUEST_STATES } from "../../ledger/requests"
import { adminPayout } from "./payouts"

/** The former and the new value of each field; of a secret only that it was entered. */
export const accountChanges = z.record(text, z.strictObject({ from: z.unknown(), to: z.unknown() }))

/** A change of an account as it is asked for. Of a secret it says only that one was entered. */
export const requestedChange = z.strictObject({
  /** For a new account, the id that it will have. */
  account_id: text,
  label: text,
  /** What the change does to the account: it is `created`, `changed` or `removed`. */
  name: z.enum(PROPOSAL_NAMES),
  /** Names of the fields that two admins must change alike. */
  fields: z.array(text),
  changes: accountChanges,
})
export type RequestedChange = Output<typeof requestedChange>

export const requestResponse = z.strictObject({
  id: text,
  /** Null: noted by the version before. */
  kind: z.enum(REQUEST_KINDS).nullable(),
  state: z.enum(REQUEST_STATES),
  amount: number.nullable(),
  currency: text.nullable(),
  /** Payout: who is paid. */
  recipient: z
    .strictObject({
      name: text,
      phone_hint: text.nullable(),
    })
    .nullable(),
  from_wallet_id: number.nullable(),
  to_counterparty_id: number.nullable(),
  /** Refund: the payment whose money goes back. */
  payment_id: text.nullable(),
  /** Change of an account. */
  change: requestedChange.nullable(),
  asked_by: text,
  asked_at: time,
  /** Until then another admin can approve it. */
  ends_at: time,
  note: text.nullable(),
  approved_by: text.nullable(),
  approved_at: time.nullable(),
  refused_by: text.nullable(),
  /** What the other admin wrote with the answer. */
  answer: text.nullable(),
  /** The payout, transfer or refund that it became. */
  operation_id: text.nullable(),
})
export type RequestResponse = Output<typeof requestResponse>

export const requestAnsweredResponse = z.strictObject({
  request: requestResponse.nullable(),
  /** The payout or transfer that an approval sent; a refund is `operation_id` of the request. */
  payout: adminPayout.nullable(),
})
export type RequestAnsweredResponse = Output<typeof requestAnsweredResponse>

export const requestsResponse = z.strictObject({
  requests: z.array(requestResponse),
})
export type RequestsResponse = Output<typeof requestsResponse>

/** An admin's answer to a request: who asked withdraws it by refusing it. */
export const requestAnswerBody = z.strictObject({
  note: writtenNote(LIMITS.noteLengthMax).nullish(),
})
