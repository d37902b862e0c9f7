/** Medusa's sessions, payments and customers for the reconciliation room: read-only SQL. */
import type { HostPayment } from "../../core/host-records"
import type { Database, Row } from "../../ledger/database"
import type { HostCustomers, HostPeriod, HostRefundRow } from "../../engine/host"
import { CAPTURED, LEAST_DIFFERENCE, REFUNDED, WITH_ORDER } from "./refund-sql"
import { OUR_PROVIDERS, textOrNull, textsIn } from "./rows"

const GONE = `
  select asked.id
    from unnest($1::text[]) as asked (id)
    left join payment_session s on s.id = asked.id
   where s.id is null or s.deleted_at <= now() - $2 * interval '1 ms'`

const PAYMENTS = `
  select p.id, p.payment_session_id, p.currency_code,
         p.captured_at is not null as is_captured, p.canceled_at is not null as is_canceled,
         ${CAPTURED}::text as captured_amount, ${REFUNDED}::text as refunded_amount,
         o.id as order_id,
         coalesce(o.status = 'canceled' or o.canceled_at is not null, false) as is_order_canceled,
         abs(coalesce((s.totals ->> 'pending_difference')::numeric, 0))
           >= ${LEAST_DIFFERENCE} as is_order_open
    from payment p ${WITH_ORDER}
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

const NUMBERED = `select id, display_id from "order" where display_id = any($1::int[])`

/** Of the order, else of the cart, which may be deleted. */
const CONTACT = `
  select o.display_id::text as order_number, o.customer_id, coalesce(o.email, '') as email,
         a.first_name, a.last_name
    from "order" o left join order_address a on a.id = o.shipping_address_id
   where o.id = $2
  union all
  select null, c.customer_id, coalesce(c.email, ''), a.first_name, a.last_name
    from cart c left join cart_address a on a.id = c.shipping_address_id
   where c.id = $1 and not exists (select from "order" o where o.id = $2)`

/** Includes rows that Medusa has deleted, because it only marks them. Guests are customers too. */
const CUSTOMERS_OWN = `
  select exists (select from customer where id = $1) as is_known,
         array(select id from cart where customer_id = $1
               union select oc.cart_id from order_cart oc join "order" o on o.id = oc.order_id
                where o.customer_id = $1) as cart_ids,
         array(select id from "order" where customer_id = $1) as order_ids`

export function recordsReader(database: Database): HostPeriod & HostCustomers {
  return {
    async goneSessions(ids, forMs) {
      if (ids.length === 0) return []
      const rows = await database.query(GONE, [[...ids], forMs])
      return rows.map((row) => String(row["id"]))
    },
    async paymentsOfPeriod({ from, until }, { afterId, limit }) {
      const rows = await database.query(OF_PERIOD, [OUR_PROVIDERS, from, until, afterId, limit])
      return rows.map(paymentFrom)
    },
    async paymentsOfSessions(sessionIds) {
      if (sessionIds.length === 0) return []
      const rows = await database.query(OF_SESSIONS, [OUR_PROVIDERS, [...sessionIds]])
      return rows.map(paymentFrom)
    },
    async refundsOfPeriod({ from, until }, { afterId, limit }) {
      const rows = await database.query(REFUNDS_OF_PERIOD, [
        OUR_PROVIDERS,
        from,
        until,
        afterId,
        limit,
      ])
      return rows.map(refundFrom)
    },
    async refundRows(ids) {
      if (ids.length === 0) return []
      return (await database.query(REFUND_ROWS, [OUR_PROVIDERS, [...ids]])).map(refundFrom)
    },
    async orderNumbers(orderIds) {
      if (orderIds.length === 0) return new Map()
      const rows = await database.query(NUMBERS, [[...orderIds]])
      return new Map(rows.map((row) => [String(row["id"]), String(row["display_id"])]))
    },
    async ordersNumbered(numbers) {
      if (numbers.length === 0) return new Map()
      const rows = await database.query(NUMBERED, [[...numbers]])
      return new Map(rows.map((row) => [Number(row["display_id"]), String(row["id"])]))
    },
    async contact({ cartId, orderId }) {
      const [row] = await database.query(CONTACT, [cartId, orderId])
      if (!row) return undefined
      const names = [textOrNull(row["first_name"]), textOrNull(row["last_name"])]
      return {
        customerId: textOrNull(row["customer_id"]),
        name: names.filter(Boolean).join(" ") || null,
        email: textOrNull(row["email"]) || null,
        orderNumber: textOrNull(row["order_number"]),
      }
    },
    async customersOwn(customerId) {
      const [row = {}] = await database.query(CUSTOMERS_OWN, [customerId])
      const [cartIds, orderIds] = [textsIn(row["cart_ids"]), textsIn(row["order_ids"])]
      const isKnown = row["is_known"] === true || cartIds.length + orderIds.length > 0
      return isKnown ? { customerId, cartIds, orderIds } : undefined
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
  return {
    id: String(row["id"]),
    sessionId: String(row["payment_session_id"]),
    currency: String(row["currency_code"]),
    isCaptured: row["is_captured"] === true,
    isCanceled: row["is_canceled"] === true,
    capturedAmount: String(row["captured_amount"]),
    refundedAmount: String(row["refunded_amount"]),
    orderId: textOrNull(row["order_id"]),
    isOrderCanceled: row["is_order_canceled"] === true,
    isOrderOpen: row["is_order_open"] === true,
  }
}
