/** A payout or a transfer: the operation, and what only money that goes out has. */
import type { Operation } from "../../core/operation"
import type { Row } from "../../ledger/database"
import { operationFrom } from "../../ledger/operation-row"

export type Payout = {
  readonly operation: Operation
  /** The caller's; one movement of money each. */
  readonly idempotencyKey: string
  /** Of a payout: who is paid, as the admin wrote it. */
  readonly recipientName: string | null
  /** The wallet that is debited; of a payout only known once its session is open. */
  readonly walletId: number | null
  /** Of a transfer: who gets it. */
  readonly counterpartyId: number | null
  readonly providerTransactionId: string | null
}

export function payoutFrom(row: Row): Payout {
  const text = (column: string) => {
    const value = row[column]
    return typeof value === "string" ? value : null
  }
  const id = (column: string) => {
    const value = row[column]
    return value === null || value === undefined ? null : Number(value)
  }
  return {
    operation: operationFrom(row),
    idempotencyKey: text("idempotency_key") ?? "",
    recipientName: text("recipient_name"),
    walletId: id("wallet_id"),
    counterpartyId: id("counterparty_id"),
    providerTransactionId: text("provider_transaction_id"),
  }
}
