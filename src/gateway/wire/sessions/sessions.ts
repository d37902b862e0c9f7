/** `POST /v1/sessions/checkout`: the gateway session of an `ACTIVE` source (contract, 2b and 5). */
import { z } from "zod"
import type { Endpoint } from "../../endpoint"
import { checkedBy } from "../../endpoint"
import type { SourceType } from "../enums"
import type { Wire } from "../fields"
import {
  idField,
  Misfit,
  optionalId,
  optionalText,
  reader,
  sourceTypeField,
  statusField,
  textField,
} from "../fields"

/** Only `ACTIVE` can be executed. Open: no source names the other values. */
export type SessionStatus = "ACTIVE" | (string & {})

export type CreateCheckoutSessionRequest = {
  readonly sourceType: SourceType
  readonly sourceId: number
}

export type CheckoutSession = {
  /** An integer here and for realtime keys, text in executions; the client converts it. */
  readonly id: number
  readonly status: SessionStatus
  /** ISO 8601, as the gateway wrote it. It is short: open the session right before executing. */
  readonly expiresAt?: string
  readonly paymentAccountId?: number
  readonly createdAt?: string
  readonly updatedAt?: string
  readonly wire: Wire
}

const requestSchema = z.object({ sourceType: sourceTypeField, sourceId: z.int().positive() })
const answerSchema = z.object({
  id: idField,
  source_id: idField,
  source_type: textField,
  status: statusField,
  expires_at: optionalText,
  created_at: optionalText,
  updated_at: optionalText,
  payment_account_id: optionalId,
})

export const createCheckoutSession: Endpoint<CreateCheckoutSessionRequest, CheckoutSession> = {
  operation: "sessions.checkout",
  problemsWith: checkedBy(requestSchema),
  write: ({ sourceId, sourceType }) => ({
    body: { source_id: sourceId, source_type: sourceType },
  }),
  read: reader(answerSchema, (fields, wire, request) => {
    if (fields.source_id !== request.sourceId || fields.source_type !== request.sourceType) {
      return new Misfit("source_id", "another source than asked for")
    }
    return {
      id: fields.id,
      status: fields.status,
      expiresAt: fields.expires_at,
      paymentAccountId: fields.payment_account_id,
      createdAt: fields.created_at,
      updatedAt: fields.updated_at,
      wire,
    }
  }),
}
