/** Medusa's sessions, payments and customers for the reconciliation room: read-only SQL. */
import { PROVIDER_IDS } from "../../core/flows"
import type { OrderId, PaymentSessionId } from "../../core/ids"
import type { MedusaPayment } from "../../core/medusa-records"
import { rowOf, rowsOf, type Database } from "../../ledger/database"
import type {
  CustomersOwn,
  MedusaContact,
  MedusaCustomers,
  MedusaPeriod,
  MedusaRefundRow,
} from "../../engine/medusa-port"
import { CAPTURED, leastPayable, REFUNDED, WITH_ORDER } from "./medusa-refund-queries"

const GONE = `
  select asked.id
    from unnest($1::text[]) as asked (id)
    left join payment_session s on s.id = asked.id
   where s.id is null or s.deleted_at <= now() - $2 * interval '1 ms'`

const PAYMENTS = `
  select p.id, p.payment_session_id as "sessionId", p.currency_code as currency,
         p.captured_at is not null as "isCaptured", p.canceled_at is not null as "isCanceled",
         ${CAPTURED}::text as "capturedAmount", ${REFUNDED}::text as "refundedAmount",
         o.id as "orderId",
         coalesce(o.status = 'canceled' or o.canceled_at is not null, false) as "isOrderCanceled",
         abs(coalesce((s.totals ->> 'pending_difference')::numeric, 0))
           >= ${leastPayable("p.currency_code")} as "isOrderOpen"
    from payment p ${WITH_ORDER}
    left join order_summary s
      on s.order_id = o.id and s.version = o.version and s.deleted_at is null
   where p.provider_id = any($1::text[]) and p.deleted_at is null`

const OF_PERIOD = `${PAYMENTS}
     and p.created_at >= $2 and p.created_at < $3 and p.id > $4
   order by p.id limit $5`

const OF_SESSIONS = `${PAYMENTS} and p.payment_session_id = any($2::text[]) order by p.id`

const REFUNDS = `
  select r.id, r.amount::text as amount, p.currency_code as currency,
         p.payment_session_id as "sessionId"
    from refund r join payment p on p.id = r.payment_id
   where r.deleted_at is null and p.provider_id = any($1::text[])`

const REFUNDS_OF_PERIOD = `${REFUNDS}
     and r.created_at >= $2 and r.created_at < $3 and r.id > $4
   order by r.id limit $5`

const REFUND_ROWS = `${REFUNDS} and r.id = any($2::text[])`

const NUMBERS = `
  select id, display_id::text as number from "order" where id = any($1::text[])`

const NUMBERED = `
  select id, display_id::int as number from "order" where display_id = any($1::int[])`

const NAME = `nullif(trim(concat_ws(' ', a.first_name, a.last_name)), '') as name`

/** Name and e-mail of order `$2`, or else of cart `$1`, which may be deleted. */
const CONTACT = `
  select o.display_id::text as "orderNumber", o.customer_id as "customerId",
         nullif(o.email, '') as email, ${NAME}
    from "order" o left join order_address a on a.id = o.shipping_address_id
   where o.id = $2
  union all
  select null, c.customer_id, nullif(c.email, ''), ${NAME}
    from cart c left join cart_address a on a.id = c.shipping_address_id
   where c.id = $1 and not exists (select from "order" o where o.id = $2)`

/**
 * A customer's carts and orders, also those that Medusa has deleted, because it only marks them.
 * Guests are customers too.
 */
const CUSTOMERS_OWN = `
  select $1::text as "customerId", exists (select from customer where id = $1) as "isKnown",
         array(select id from cart where customer_id = $1
               union select oc.cart_id from order_cart oc join "order" o on o.id = oc.order_id
                where o.customer_id = $1) as "cartIds",
         array(select id from "order" where customer_id = $1) as "orderIds"`

const ADMIN_NAMES = `
  select id, coalesce(nullif(trim(concat_ws(' ', first_name, last_name)), ''), email) as name
    from "user" where id = any($1)`

type Named = { readonly id: string; readonly name: string }
type Numbered<T> = { readonly id: OrderId; readonly number: T }

export function recordsReader(database: Database): MedusaPeriod & MedusaCustomers {
  return {
    async goneSessions(ids, forMs) {
      const rows = await rowsOf<{ id: PaymentSessionId }>(database, GONE, [[...ids], forMs])
      return rows.map(({ id }) => id)
    },
    paymentsOfPeriod: ({ from, until }, { afterId, limit }) =>
      rowsOf<MedusaPayment>(database, OF_PERIOD, [PROVIDER_IDS, from, until, afterId, limit]),
    paymentsOfSessions: (sessionIds) =>
      rowsOf<MedusaPayment>(database, OF_SESSIONS, [PROVIDER_IDS, [...sessionIds]]),
    refundsOfPeriod({ from, until }, { afterId, limit }) {
      const page = [PROVIDER_IDS, from, until, afterId, limit]
      return rowsOf<MedusaRefundRow>(database, REFUNDS_OF_PERIOD, page)
    },
    refundRows: (ids) => rowsOf<MedusaRefundRow>(database, REFUND_ROWS, [PROVIDER_IDS, [...ids]]),
    async orderNumbers(orderIds) {
      const rows = await rowsOf<Numbered<string>>(database, NUMBERS, [[...orderIds]])
      return new Map(rows.map(({ id, number }) => [id, number]))
    },
    async adminNames(ids) {
      if (ids.length === 0) return new Map()
      const rows = await rowsOf<Named>(database, ADMIN_NAMES, [[...ids]])
      return new Map(rows.map(({ id, name }) => [id, name]))
    },
    async ordersNumbered(numbers) {
      const rows = await rowsOf<Numbered<number>>(database, NUMBERED, [[...numbers]])
      return new Map(rows.map(({ id, number }) => [number, id]))
    },
    async contact({ cartId, orderId }) {
      const [contact] = await rowsOf<MedusaContact>(database, CONTACT, [cartId, orderId])
      return contact
    },
    async customersOwn(customerId) {
      const { isKnown, ...own } = await rowOf<CustomersOwn & { readonly isKnown: boolean }>(
        database,
        CUSTOMERS_OWN,
        [customerId],
      )
      return isKnown || own.cartIds.length + own.orderIds.length > 0 ? own : undefined
    },
  }
}
