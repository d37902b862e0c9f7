/** Medusa's refunds and their payments, by read-only SQL, for the payment providers too. */
import { PROVIDER_IDS } from "../../core/flows"
import type { MedusaRefundId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import { rowsOf, type Database } from "../../ledger/database"
import type { MedusaPaid, MedusaRefund, MedusaRefunds } from "../../engine/medusa-port"
import { ageMs, CAPTURED, REFUNDED } from "./medusa-refund-queries"

/**
 * Whether an older refund of payment `p` is still at work. It counts no longer than its request may
 * live: the row of a dead process must not hold up the payment.
 */
const BEHIND = `exists (
  select from refund o
    join order_payment_collection oc
      on oc.payment_collection_id = p.payment_collection_id and oc.deleted_at is null
   where o.payment_id = p.id and o.deleted_at is null
     and (o.created_at, o.id) < (r.created_at, r.id)
     and o.created_at > now() - ${LIMITS.leaseMs} * interval '1 ms'
     and not exists (select from order_transaction t
                      where t.reference_id = o.id and t.deleted_at is null))`

/** An admin chooses a reason in Medusa's form, or writes a note, or both. */
const REFUND = `
  select r.id, r.amount::text as amount, p.currency_code as currency,
         nullif(r.created_by, '') as "createdBy",
         nullif(concat_ws(': ', reason.label, nullif(trim(r.note), '')), '') as note,
         p.payment_session_id as "sessionId", p.provider_id as "providerId",
         ${CAPTURED}::text as "capturedAmount", ${BEHIND} as "isBehind",
         exists (select from order_payment_collection oc
                  where oc.payment_collection_id = p.payment_collection_id
                    and oc.deleted_at is null) as "hasOrder",
         ${ageMs("r")} as "ageMs"
    from refund r join payment p on p.id = r.payment_id
    left join refund_reason reason on reason.id = r.refund_reason_id
   where r.id = $1 and r.deleted_at is null and p.deleted_at is null`

const SHOWN = `select id from refund where id = any($1::text[]) and deleted_at is null`

const PAID_OF_ORDER = `
  select p.payment_session_id as "sessionId", ${CAPTURED}::text as "capturedAmount",
         greatest(${CAPTURED} - ${REFUNDED}, 0)::text as "leftAmount"
    from order_payment_collection oc
    join payment p on p.payment_collection_id = oc.payment_collection_id
   where oc.order_id = $1 and oc.deleted_at is null and p.deleted_at is null
     and p.provider_id = any($2::text[]) and p.captured_at is not null
   order by p.id`

export function medusaRefunds(database: Database): MedusaRefunds {
  return {
    async refund(id) {
      const [refund] = await rowsOf<MedusaRefund>(database, REFUND, [id])
      return refund
    },
    async shown(ids) {
      const rows = await rowsOf<{ id: MedusaRefundId }>(database, SHOWN, [[...ids]])
      return new Set(rows.map(({ id }) => id))
    },
    paidOfOrder: (orderId) => rowsOf<MedusaPaid>(database, PAID_OF_ORDER, [orderId, PROVIDER_IDS]),
  }
}
