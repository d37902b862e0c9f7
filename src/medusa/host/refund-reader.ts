/** Medusa's refunds and their payments, by read-only SQL, for the payment providers too. */
import { LIMITS } from "../../core/limits"
import type { Database } from "../../ledger/database"
import type { HostRefunds } from "../../engine/host"
import { CAPTURED, REFUNDED } from "./refund-sql"
import { OUR_PROVIDERS } from "./rows"

/** No longer than its request may live: the row of a dead process must not hold up the payment. */
const BEHIND = `exists (
  select from refund o
    join order_payment_collection oc
      on oc.payment_collection_id = p.payment_collection_id and oc.deleted_at is null
   where o.payment_id = p.id and o.deleted_at is null
     and (o.created_at, o.id) < (r.created_at, r.id)
     and o.created_at > now() - ${LIMITS.leaseMs} * interval '1 ms'
     and not exists (select from order_transaction t
                      where t.reference_id = o.id and t.deleted_at is null))`

const REFUND = `
  select r.id, r.amount::text as amount, r.created_by, p.payment_session_id, p.provider_id,
         ${CAPTURED}::text as captured_amount, ${BEHIND} as is_behind,
         exists (select from order_payment_collection oc
                  where oc.payment_collection_id = p.payment_collection_id
                    and oc.deleted_at is null) as has_order,
         (extract(epoch from now() - r.created_at) * 1000)::float8 as age_ms
    from refund r join payment p on p.id = r.payment_id
   where r.id = $1 and r.deleted_at is null and p.deleted_at is null`

const SHOWN = `select id from refund where id = any($1::text[]) and deleted_at is null`

const PAID_OF_ORDER = `
  select p.payment_session_id, ${CAPTURED}::text as captured_amount,
         greatest(${CAPTURED} - ${REFUNDED}, 0)::text as left_amount
    from order_payment_collection oc
    join payment p on p.payment_collection_id = oc.payment_collection_id
   where oc.order_id = $1 and oc.deleted_at is null and p.deleted_at is null
     and p.provider_id = any($2::text[]) and p.captured_at is not null
   order by p.id`

export function refundReader(database: Database): HostRefunds {
  return {
    async refund(id) {
      const [row] = await database.query(REFUND, [id])
      if (!row) return undefined
      const createdBy = row["created_by"]
      return {
        id: String(row["id"]),
        sessionId: String(row["payment_session_id"]),
        providerId: String(row["provider_id"]),
        amount: String(row["amount"]),
        capturedAmount: String(row["captured_amount"]),
        createdBy: typeof createdBy === "string" && createdBy !== "" ? createdBy : null,
        hasOrder: row["has_order"] === true,
        ageMs: Number(row["age_ms"]),
        isBehind: row["is_behind"] === true,
      }
    },
    async shown(ids) {
      if (ids.length === 0) return new Set()
      const rows = await database.query(SHOWN, [[...ids]])
      return new Set(rows.map((row) => String(row["id"])))
    },
    async paidOfOrder(orderId) {
      const rows = await database.query(PAID_OF_ORDER, [orderId, OUR_PROVIDERS])
      return rows.map((row) => ({
        sessionId: String(row["payment_session_id"]),
        capturedAmount: String(row["captured_amount"]),
        leftAmount: String(row["left_amount"]),
      }))
    },
  }
}
