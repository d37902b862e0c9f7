/** Medusa's records of a payment's refunds; `refunds/rules/refund-records.ts` judges them. */
import type {
  HostCreditLine,
  HostRow,
  HostTransaction,
  RefundRecords,
} from "../../core/host-records"
import { rowsOf, type Database, type Row } from "../../ledger/database"
import type { HostRefundKey, HostSuspect, HostSuspectsPage } from "../../engine/host"
import * as SQL from "./refund-sql"

type Payment = {
  readonly paymentId: string
  readonly orderId: string | null
  readonly isCanceled: boolean
}
type Order = Omit<NonNullable<RefundRecords["order"]>, "isCanceled">

export async function readRefundRecords(
  database: Database,
  { collectionId, providerId, sessionId, hostRefundId }: HostRefundKey,
): Promise<RefundRecords | undefined> {
  const key = [collectionId, providerId, sessionId, hostRefundId]
  const [payment] = await rowsOf<Payment>(database, SQL.PAYMENT, key)
  if (!payment) return undefined
  const { paymentId, orderId, isCanceled } = payment
  const [collection] = await database.query(SQL.COLLECTION, [collectionId, []])
  const [order] = await rowsOf<Order>(database, SQL.ORDER, [orderId])
  const ofPayment = [orderId, paymentId, SQL.OUR_PROVIDERS]
  const transactions = order
    ? await rowsOf<HostTransaction>(database, SQL.TRANSACTIONS, ofPayment)
    : []
  const creditLines = order
    ? await rowsOf<HostCreditLine>(database, SQL.CREDIT_LINES, [orderId])
    : []
  const named = [...transactions, ...creditLines].map(({ referenceId }) => referenceId)
  return {
    paymentId,
    isCollectionCounted: isCounted(collection),
    order: order ? { ...order, isCanceled } : null,
    rows: await rowsOf<HostRow>(database, SQL.ROWS, [paymentId, [...named, hostRefundId]]),
    transactions,
    creditLines,
  }
}

/** Rows and transactions younger than `since`, by the time that their ids begin with. */
export function readSuspects(
  database: Database,
  { since, after, limit }: HostSuspectsPage,
): Promise<HostSuspect[]> {
  const from = timeInId(since)
  return rowsOf<HostSuspect>(database, SQL.SUSPECTS, [
    `ref_${from}`,
    `ordtrx_${from}`,
    SQL.OUR_PROVIDERS,
    limit,
    after?.paymentId ?? "",
    after?.hostRefundId ?? "",
  ])
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
