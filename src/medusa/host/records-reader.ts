/** Medusa's sessions and payments for the reconciliation: read-only SQL, many at once. */
import type { HostPayment } from "../../core/host-records"
import { PROVIDERS } from "../../core/providers"
import type { Database, Row } from "../../ledger/database"
import type { HostPeriod, HostRefundRow } from "../../engine/host"
import { LEAST_DIFFERENCE } from "./refund-sql"

const OURS = Object.values(PROVIDERS).map(({ providerId }) => providerId)

const GONE = `
  select asked.id
    from unnest($1::text[]) as asked (id)
    left join payment_session s on s.id = asked.id
   where s.id is null or s.deleted_at <= now() - $2 * interval '1 ms'`

const PAYMENTS = `
  select p.id, p.payment_session_id, p.currency_code,
         p.captured_at is not null as is_captured, p.canceled_at is not null as is_canceled,
         coalesce((select sum(c.amount) from capture c
                    where c.payment_id = p.id and c.deleted_at is null), 0)::text
           as captured_amount,
         coalesce((select sum(r.amount) from refund r
                    where r.payment_id = p.id and r.deleted_at is null), 0)::text
           as refunded_amount,
         o.id as order_id,
         coalesce(o.status = 'canceled' or o.canceled_at is not null, false) as is_order_canceled,
         abs(coalesce((s.totals ->> 'pending_difference')::numeric, 0))
           >= ${LEAST_DIFFERENCE} as is_order_open
    from payment p
    left join order_payment_collection oc
      on oc.payment_collection_id = p.payment_collection_id and oc.deleted_at is null
    left join "order" o on o.id = oc.order_id and o.deleted_at is null
    left join order_summary s
      on s.order_id = o.id and s.version = o.version and s.deleted_at is null
   where p.provider_id = any($1::text[]) and p.deleted_at is null`

const OF_PERIOD = `${PAYMENTS}
     and p.created_at >= $2 and p.created_at < $3 and p.id > $4
   order by p.id limit $5`

const OF_SESSIONS = `${PAYMENTS} and p.payment_session_id = any($2::text[]) order by p.id`

const REFUNDS = `
  select r.id, r.amount::text as amount, p.currency_code, p.payment_session_id
    from refund r join payment p on p.id = r.payment_id
   where r.deleted_at is null and p.provider_id = any($1::text[])`

const REFUNDS_OF_PERIOD = `${REFUNDS}
     and r.created_at >= $2 and r.created_at < $3 and r.id > $4
   order by r.id limit $5`

const REFUND_ROWS = `${REFUNDS} and r.id = any($2::text[])`

const NUMBERS = `select id, display_id from "order" where id = any($1::text[])`

export function recordsReader(database: Database): HostPeriod {
  return {
    async goneSessions(ids, forMs) {
      if (ids.length === 0) return []
      const rows = await database.query(GONE, [[...ids], forMs])
      return rows.map((row) => String(row["id"]))
    },
    async paymentsOfPeriod({ from, until }, { afterId, limit }) {
      const rows = await database.query(OF_PERIOD, [OURS, from, until, afterId, limit])
      return rows.map(paymentFrom)
    },
    async paymentsOfSessions(sessionIds) {
      if (sessionIds.length === 0) return []
      const rows = await database.query(OF_SESSIONS, [OURS, [...sessionIds]])
      return rows.map(paymentFrom)
    },
    async refundsOfPeriod({ from, until }, { afterId, limit }) {
      const rows = await database.query(REFUNDS_OF_PERIOD, [OURS, from, until, afterId, limit])
      return rows.map(refundFrom)
    },
    async refundRows(ids) {
      if (ids.length === 0) return []
      return (await database.query(REFUND_ROWS, [OURS, [...ids]])).map(refundFrom)
    },
    async orderNumbers(orderIds) {
      if (orderIds.length === 0) return new Map()
      const rows = await database.query(NUMBERS, [[...orderIds]])
      return new Map(rows.map((row) => [String(row["id"]), String(row["display_id"])]))
    },
  }
}

function refundFrom(row: Row): HostRefundRow {
  return {
    id: String(row["id"]),
    sessionId: String(row["payment_session_id"]),
    currency: String(row["currency_code"]),
    amount: String(row["amount"]),
  }
}

function paymentFrom(row: Row): HostPayment {
  const orderId = row["order_id"]
  return {
    id: String(row["id"]),
    sessionId: String(row["payment_session_id"]),
    currency: String(row["currency_code"]),
    isCaptured: row["is_captured"] === true,
    isCanceled: row["is_canceled"] === true,
    capturedAmount: String(row["captured_amount"]),
    refundedAmount: String(row["refunded_amount"]),
    orderId: typeof orderId === "string" ? orderId : null,
    isOrderCanceled: row["is_order_canceled"] === true,
    isOrderOpen: row["is_order_open"] === true,
  }
}
