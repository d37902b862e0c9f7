/**
 * `POST /v1/sessions/transfer`: between platform wallets, with no gateway outside (contract, 15).
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
  optionalText,
  reader,
  statusField,
  textField,
} from "../fields"
import { amountAsAsked } from "./session-amount"
import type { SessionStatus } from "./sessions"

export type CreateTransferSessionRequest = {
  /**
   * The merchant's wallet. No operation lists wallets: take it from a payout session or the portal.
   */
  readonly fromWalletId: number
  readonly toCounterpartyId: number
  readonly amount: Amount
  /** When the session can no longer be executed. */
  readonly expiresAt: Date
}

export type TransferSession = {
  /** An integer here, text in the execution; the client converts it. */
  readonly id: number
  readonly status: SessionStatus
  readonly fromWalletId: number
  readonly toCounterpartyId: number
  /** Exact, and equal to the amount asked for. */
  readonly amount: Money
  /** ISO 8601, as the gateway wrote it. */
  readonly expiresAt?: string
  readonly createdAt?: string
  readonly updatedAt?: string
  readonly wire: Wire
}

const requestSchema = z.object({
  fromWalletId: z.int().positive(),
  toCounterpartyId: z.int().positive(),
  amount: payableField,
  expiresAt: z.date(),
})
const answerSchema = z.object({
  id: idField,
  from_wallet_id: idField,
  to_counterparty_id: idField,
  amount: amountField,
  currency: textField,
  status: statusField,
  expires_at: optionalText,
  created_at: optionalText,
  updated_at: optionalText,
})

export const createTransferSession: Endpoint<CreateTransferSessionRequest, TransferSession> = {
  operation: "sessions.transfer",
  problemsWith: checkedBy(requestSchema),
  write: ({ fromWalletId, toCounterpartyId, amount, expiresAt }) => ({
    body: {
      from_wallet_id: fromWalletId,
      to_counterparty_id: toCounterpartyId,
      amount: wireAmount(amount),
      currency: amount.currency,
      expires_at: expiresAt.toISOString(),
    },
  }),
  read: reader(answerSchema, (fields, wire, request) => {
    if (fields.from_wallet_id !== request.fromWalletId) {
      return new Misfit("from_wallet_id", "another wallet than asked for")
    }
    if (fields.to_counterparty_id !== request.toCounterpartyId) {
      return new Misfit("to_counterparty_id", "another counterparty than asked for")
    }
    const amount = amountAsAsked(fields.amount, fields.currency, moneyOf(request.amount))
    if (amount instanceof Misfit) return amount
    return {
      id: fields.id,
      status: fields.status,
      fromWalletId: fields.from_wallet_id,
      toCounterpartyId: fields.to_counterparty_id,
      amount,
      expiresAt: fields.expires_at,
      createdAt: fields.created_at,
      updatedAt: fields.updated_at,
      wire,
    }
  }),
}
