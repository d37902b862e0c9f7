/**
 * A payout or a transfer as the admin API answers it. Absent values are null; amounts are in major
 * units.
 */
import type { OperationId } from "../core/ids"
import { majorNumber } from "../core/money"
import { refusal } from "../core/refusal"
import type { LedgerDeps } from "../engine/deps"
import { findPayout, type Payout, type PayoutType } from "./sql/find-payouts"
import type { AdminPayout } from "./schemas/payouts"

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
