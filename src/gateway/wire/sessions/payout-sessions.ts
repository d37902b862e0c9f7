/**
 * `POST /v1/sessions/payout`: what is to be paid to whom; the gateway picks the wallet (contract,
 * 15).
 */
import { z } from "zod"
import type { Money } from "../../../core/money"
import type { Endpoint } from "../../endpoint"
import { checkedBy } from "../../endpoint"
import type { Amount } from "../amounts"
import { moneyOf, payableField, wireAmount } from "../amounts"
import type { Wire } from "../fields"
import {
  amountField,
  idField,
  Misfit,
  optionalId,
  optionalText,
  reader,
  statusField,
  textField,
} from "../fields"
import { amountAsAsked } from "./session-amount"
import type { SessionStatus } from "./sessions"

export type CreatePayoutSessionRequest = {
  /** The recipient's payment account, made for `PAYOUT`. */
  readonly payoutAccountId: number
  readonly amount: Amount
}

export type PayoutSession = {
  /** An integer here, text in the execution; the client converts it. */
  readonly id: number
  readonly status: SessionStatus
  readonly payoutAccountId: number
  /** Exact, and equal to the amount asked for. */
  readonly amount: Money
  /** The wallet that is debited, chosen by the gateway. */
  readonly walletId?: number
  /**
   * ISO 8601, as the gateway wrote it. The gateway sets it: open the session right before
   * executing.
   */
  readonly expiresAt?: string
  readonly createdAt?: string
  readonly updatedAt?: string
  readonly wire: Wire
}

const requestSchema = z.object({ payoutAccountId: z.int().positive(), amount: payableField })
const answerSchema = z.object({
  id: idField,
  wallet_id: optionalId,
  payout_account_id: idField,
  amount: amountField,
  currency: textField,
  status: statusField,
  expires_at: optionalText,
  created_at: optionalText,
  updated_at: optionalText,
})

export const createPayoutSession: Endpoint<CreatePayoutSessionRequest, PayoutSession> = {
  operation: "sessions.payout",
  problemsWith: checkedBy(requestSchema),
  write: ({ payoutAccountId, amount }) => ({
    body: {
      payout_account_id: payoutAccountId,
      amount: wireAmount(amount),
      currency: amount.currency,
    },
  }),
  read: reader(answerSchema, (fields, wire, request) => {
    if (fields.payout_account_id !== request.payoutAccountId) {
      return new Misfit("payout_account_id", "another account than asked for")
    }
    const amount = amountAsAsked(fields.amount, fields.currency, moneyOf(request.amount))
    if (amount instanceof Misfit) return amount
    return {
      id: fields.id,
      status: fields.status,
      payoutAccountId: fields.payout_account_id,
      amount,
      walletId: fields.wallet_id,
      expiresAt: fields.expires_at,
      createdAt: fields.created_at,
      updatedAt: fields.updated_at,
      wire,
    }
  }),
}
