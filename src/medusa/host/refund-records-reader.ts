/** Medusa's records of a payment's refunds; `refunds/rules/refund-records.ts` judges them. */
import type {
  HostCreditLine,
  HostRow,
  HostTransaction,
  RefundRecords,
} from "../../core/host-records"
import type { Database, Row } from "../../ledger/database"
import type { HostRefundKey, HostSuspect, HostSuspectsPage } from "../../engine/host"
import * as SQL from "./refund-sql"
import { OUR_PROVIDERS, textOrNull, textsIn } from "./rows"

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
  const orderId = textOrNull(payment["order_id"])
  const [order] = orderId ? await database.query(SQL.ORDER, [orderId]) : []
  const transactions = order
    ? await database.query(SQL.TRANSACTIONS, [orderId, paymentId, OUR_PROVIDERS])
    : []
  const lines = order ? await database.query(SQL.CREDIT_LINES, [orderId]) : []
  const named = [...transactions, ...lines].map((row) => row["reference_id"])
  const rows = await database.query(SQL.ROWS, [paymentId, [...named, key.hostRefundId]])
  return {
    paymentId,
    isCollectionCounted: isCounted(collection),
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
    OUR_PROVIDERS,
    limit,
    after?.paymentId ?? "",
    after?.hostRefundId ?? "",
  ])
  return rows.map((row) => ({
    paymentId: String(row["payment_id"]),
    hostRefundId: textOrNull(row["row_id"]),
    sessionId: String(row["payment_session_id"]),
    collectionId: String(row["payment_collection_id"]),
    providerId: String(row["provider_id"]),
  }))
}

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

/** Medusa's ids begin with their millisecond in ten digits of base 32, and so sort by it. */
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
  return {
    id: String(row["id"]),
    amount: String(row["amount"]),
    createdBy: textOrNull(row["created_by"]),
    ageMs: Number(row["age_ms"]),
    isRemoved: row["is_removed"] === true,
  }
}

function transactionFrom(row: Row): HostTransaction {
  return {
    id: String(row["id"]),
    referenceId: String(row["reference_id"]),
    paymentId: textOrNull(row["payment_id"]),
    amount: String(row["amount"]),
    version: Number(row["version"]),
    ageMs: Number(row["age_ms"]),
    isRemoved: row["is_removed"] === true,
  }
}

function creditLineFrom(row: Row): HostCreditLine {
  return {
    ids: textsIn(row["ids"]),
    referenceId: textOrNull(row["reference_id"]),
    amount: String(row["amount"]),
    madeVersion: Number(row["made_version"]),
    isRemoved: row["is_removed"] === true,
  }
}
