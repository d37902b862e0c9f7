/** Medusa's records of a payment's refunds, read by SQL: what `core/refund-records.ts` judges. */
import type {
  HostCreditLine,
  HostRow,
  HostTransaction,
  RefundRecords,
} from "../../core/host-records"
import { PROVIDERS } from "../../core/providers"
import type { Database, Row } from "../../ledger/database"
import type { HostRefundKey, HostSuspect, HostSuspectsPage } from "../../engine/host"
import * as SQL from "./refund-sql"

const OURS = Object.values(PROVIDERS).map(({ providerId }) => providerId)

export async function readRefundRecords(
  database: Database,
  key: HostRefundKey,
): Promise<RefundRecords | undefined> {
  const [payment] = await database.query(SQL.PAYMENT, [
    key.collectionId,
    key.providerId,
    key.sessionId,
    key.hostRefundId,
  ])
  if (!payment) return undefined
  const paymentId = String(payment["payment_id"])
  const [collection] = await database.query(SQL.COLLECTION, [key.collectionId, []])
  const ofCollection = { paymentId, isCollectionCounted: isCounted(collection) }
  const orderId = typeof payment["order_id"] === "string" ? payment["order_id"] : undefined
  const [order] = orderId ? await database.query(SQL.ORDER, [orderId]) : []
  const transactions = order
    ? await database.query(SQL.TRANSACTIONS, [orderId, paymentId, OURS])
    : []
  const lines = order ? await database.query(SQL.CREDIT_LINES, [orderId]) : []
  const named = [...transactions, ...lines].map((row) => row["reference_id"])
  const rows = await database.query(SQL.ROWS, [paymentId, [...named, key.hostRefundId]])
  return {
    ...ofCollection,
    order:
      orderId && order
        ? {
            id: orderId,
            isCanceled: payment["is_canceled"] === true,
            version: Number(order["version"]),
            open: String(order["open"]),
            isCounted: order["is_counted"] === true,
          }
        : null,
    rows: rows.map(rowFrom),
    transactions: transactions.map(transactionFrom),
    creditLines: lines.map(creditLineFrom),
  }
}

/** Rows and transactions younger than `since`, by the time that their ids begin with. */
export async function readSuspects(
  database: Database,
  { since, after, limit }: HostSuspectsPage,
): Promise<readonly HostSuspect[]> {
  const from = timeInId(since)
  const rows = await database.query(SQL.SUSPECTS, [
    `ref_${from}`,
    `ordtrx_${from}`,
    OURS,
    limit,
    after?.paymentId ?? "",
    after?.hostRefundId ?? "",
  ])
  return rows.map((row) => ({
    paymentId: String(row["payment_id"]),
    hostRefundId: typeof row["row_id"] === "string" ? row["row_id"] : null,
    sessionId: String(row["payment_session_id"]),
    collectionId: String(row["payment_collection_id"]),
    providerId: String(row["provider_id"]),
  }))
}

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

/**
 * Medusa's ids begin with their millisecond, in ten digits of 32: as the rest of them, they sort by
 * it.
 */
function timeInId(moment: Date): string {
  let rest = moment.getTime()
  let text = ""
  for (let digit = 0; digit < 10; digit++) {
    text = `${DIGITS[rest % 32] ?? ""}${text}`
    rest = Math.floor(rest / 32)
  }
  return text
}

function isCounted(collection: Row | undefined): boolean {
  if (!collection) return true
  const isClosed = collection["status"] === "canceled"
  const difference = Number(collection["kept"]) - Number(collection["refunded"])
  return (
    Math.abs(difference) < SQL.LEAST_DIFFERENCE &&
    (isClosed || collection["is_order_canceled"] !== true)
  )
}

function rowFrom(row: Row): HostRow {
  const createdBy = row["created_by"]
  return {
    id: String(row["id"]),
    amount: String(row["amount"]),
    createdBy: typeof createdBy === "string" ? createdBy : null,
    ageMs: Number(row["age_ms"]),
    isRemoved: row["is_removed"] === true,
  }
}

function transactionFrom(row: Row): HostTransaction {
  const paymentId = row["payment_id"]
  return {
    id: String(row["id"]),
    referenceId: String(row["reference_id"]),
    paymentId: typeof paymentId === "string" ? paymentId : null,
    amount: String(row["amount"]),
    version: Number(row["version"]),
    ageMs: Number(row["age_ms"]),
    isRemoved: row["is_removed"] === true,
  }
}

function creditLineFrom(row: Row): HostCreditLine {
  const referenceId = row["reference_id"]
  return {
    ids: Array.isArray(row["ids"]) ? row["ids"].map(String) : [],
    referenceId: typeof referenceId === "string" ? referenceId : null,
    amount: String(row["amount"]),
    madeVersion: Number(row["made_version"]),
    isRemoved: row["is_removed"] === true,
  }
}
