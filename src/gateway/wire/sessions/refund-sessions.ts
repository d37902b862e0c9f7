/**
 * `POST /v1/sessions/refund`: how much of which collection goes back (contract, 3).
 *
 * The answer's fields are assumed, so only its id is required. A field that is there must match the
 * request: a refund of another payment or amount must not be executed.
 */
import { z } from "zod"
import type { Money } from "../../../core/money"
import type { Endpoint } from "../../endpoint"
import { checkedBy } from "../../endpoint"
import type { Amount } from "../amounts"
import { moneyOf, payableField, wireAmount } from "../amounts"
import type { Wire } from "../fields"
import {
  idField,
  Misfit,
  optionalId,
  optionalMessage,
  optionalStatus,
  optionalText,
  reader,
  readLater,
} from "../fields"
import { amountAsAsked } from "./session-amount"
import type { SessionStatus } from "./sessions"

export type CreateRefundSessionRequest = {
  /**
   * The payment intent of the collection, not the id of the checkout session. No documented answer
   * carries it: see {@link Execution.paymentIntentId}, or the merchant portal.
   */
  readonly originalPaymentIntentId: number
  /**
   * Up to the original amount. The wire has no currency, and the contract does not say whether the
   * source's, the payer's or the payee's counts. Where these differ, find out from your account
   * first.
   */
  readonly amount: Amount
  /** When the session can no longer be executed. The contract names no bounds. */
  readonly expiresAt: Date
  readonly reason?: string | undefined
}

export type RefundSession = {
  /** An integer here, text in the execution; the client converts it. */
  readonly id: number
  /** Only an `ACTIVE` session can be executed; an answer may lack it. */
  readonly status?: SessionStatus
  readonly originalPaymentIntentId?: number
  /** Exact, and equal to the amount asked for. */
  readonly amount?: Money
  /** Made safe to display. */
  readonly reason?: string
  /** ISO 8601, as the gateway wrote it. */
  readonly expiresAt?: string
  readonly createdAt?: string
  readonly updatedAt?: string
  readonly wire: Wire
}

const requestSchema = z.object({
  originalPaymentIntentId: z.int().positive(),
  amount: payableField,
  expiresAt: z.date(),
  reason: z.string().optional(),
})
const answerSchema = z.object({
  id: idField,
  original_payment_intent_id: optionalId,
  amount: readLater,
  currency: readLater,
  status: optionalStatus,
  reason: optionalMessage,
  expires_at: optionalText,
  created_at: optionalText,
  updated_at: optionalText,
})

export const createRefundSession: Endpoint<CreateRefundSessionRequest, RefundSession> = {
  operation: "sessions.refund",
  problemsWith: checkedBy(requestSchema),
  write: ({ originalPaymentIntentId, amount, expiresAt, reason }) => ({
    body: {
      original_payment_intent_id: originalPaymentIntentId,
      amount: wireAmount(amount),
      expires_at: expiresAt.toISOString(),
      reason,
    },
  }),
  read: reader(answerSchema, (fields, wire, request) => {
    const intentId = fields.original_payment_intent_id
    // An unreadable id does not match the request either.
    if (
      isThere(wire["original_payment_intent_id"]) &&
      intentId !== request.originalPaymentIntentId
    ) {
      return new Misfit("original_payment_intent_id", "another payment than asked for")
    }
    const amount = amountIn(wire, moneyOf(request.amount))
    if (amount instanceof Misfit) return amount
    return {
      id: fields.id,
      status: fields.status,
      originalPaymentIntentId: intentId,
      amount,
      reason: fields.reason,
      expiresAt: fields.expires_at,
      createdAt: fields.created_at,
      updatedAt: fields.updated_at,
      wire,
    }
  }),
}

/** Undefined if the answer has none. A currency without an amount must still match the request. */
function amountIn({ amount, currency }: Wire, asked: Money): Money | Misfit | undefined {
  const money = amountAsAsked(
    isThere(amount) ? amount : wireAmount(asked),
    currency ?? asked.currency,
    asked,
  )
  return isThere(amount) || money instanceof Misfit ? money : undefined
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null
}
