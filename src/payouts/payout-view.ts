/**
 * A payout or a transfer as the admin API answers it. Absent values are null; amounts are in major
 * units.
 */
import type { OperationId } from "../core/ids"
import { majorNumber } from "../core/money"
import type { State } from "../core/operation"
import { refusal } from "../core/refusal"
import type { LedgerDeps } from "../engine/deps"
import { findPayout, type Payout, type PayoutType } from "./sql/find-payouts"

export type AdminPayout = {
  readonly id: string
  readonly type: PayoutType
  /**
   * `submitted` and `in_flight`: the money is on its way, or not known yet. Only `completed` is
   * paid.
   */
  readonly state: State
  /** Why it ended, or why an admin must decide. */
  readonly reason: string | null
  readonly amount: number
  readonly currency: string
  /**
   * Payout: who is paid. Only the last three digits of the number are known. Null for a transfer.
   */
  readonly recipient: { readonly name: string; readonly phone_hint: string | null } | null
  readonly operator: { readonly payment_method: string; readonly carrier: string | null } | null
  /** The wallet that is debited, as the gateway numbers it. */
  readonly from_wallet_id: number | null
  /** Transfer: the counterparty that gets the money. Null for a payout. */
  readonly to_counterparty_id: number | null
  /** What left the wallet and what arrived, with the fees, as the gateway said. */
  readonly debited_amount: number | null
  readonly debited_currency: string | null
  readonly received_amount: number | null
  readonly received_currency: string | null
  readonly reference: string | null
  readonly provider_transaction_id: string | null
  readonly idempotency_key: string
  readonly created_by: string | null
  readonly created_at: string
  readonly submitted_at: string | null
  readonly checked_at: string | null
  /** When the gateway is asked next; null: not any more. */
  readonly next_check_at: string | null
}

export type AdminPayoutResponse = { readonly payout: AdminPayout }
export type AdminTransferResponse = { readonly transfer: AdminPayout }

/** @throws Refusal `operation_not_found` */
export async function readPayout(
  { database }: Pick<LedgerDeps, "database">,
  type: PayoutType,
  id: OperationId,
): Promise<Payout> {
  const found = await findPayout(database, type, id)
  if (!found) throw refusal("operation_not_found")
  return found
}

export function payoutView(payout: Payout): AdminPayout {
  const { operation, recipientName: name } = payout
  const { amount, paymentMethod } = operation
  const isPayout = operation.type === "PAYOUT"
  return {
    id: operation.id,
    type: isPayout ? "PAYOUT" : "TRANSFER",
    state: operation.state,
    reason: operation.reason,
    amount: majorNumber(amount),
    currency: amount.currency,
    recipient: name === null ? null : { name, phone_hint: operation.phoneHint },
    operator:
      paymentMethod === null ? null : { payment_method: paymentMethod, carrier: operation.carrier },
    from_wallet_id: payout.walletId,
    to_counterparty_id: payout.counterpartyId,
    debited_amount: numberOrNull(operation.payerAmount),
    debited_currency: operation.payerCurrency,
    received_amount: numberOrNull(operation.payeeAmount),
    received_currency: operation.payeeCurrency,
    reference: operation.reference,
    provider_transaction_id: payout.providerTransactionId,
    idempotency_key: payout.idempotencyKey,
    created_by: operation.askedBy,
    created_at: operation.createdAt.toISOString(),
    submitted_at: operation.submittedAt?.toISOString() ?? null,
    checked_at: operation.checkedAt?.toISOString() ?? null,
    next_check_at: operation.nextCheckAt?.toISOString() ?? null,
  }
}

const numberOrNull = (text: string | null) => (text === null ? null : Number(text))
