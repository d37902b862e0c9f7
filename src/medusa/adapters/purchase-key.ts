import type { Database } from "../../ledger/database"
import type { Named } from "../../engine/one-at-a-time"

/** The key of order `$1`: its cart, or else the order itself. */
const OF_ORDER = `
  select coalesce((select oc.cart_id from order_cart oc
                    where oc.order_id = $1 and oc.deleted_at is null limit 1), $1) as key`

/** The key of `$1`, a payment session, which may be deleted, or a payment. */
const OF_PAYMENT = `
  select coalesce(cc.cart_id, ocart.cart_id, oc.order_id, x.payment_collection_id) as key
    from (select payment_collection_id from payment_session where id = $1
          union all
          select payment_collection_id from payment where id = $1 or payment_session_id = $1) x
    left join cart_payment_collection cc
      on cc.payment_collection_id = x.payment_collection_id and cc.deleted_at is null
    left join order_payment_collection oc
      on oc.payment_collection_id = x.payment_collection_id and oc.deleted_at is null
    left join order_cart ocart on ocart.order_id = oc.order_id and ocart.deleted_at is null
   limit 1`

/**
 * The key by which the calls of one purchase run one at a time: its cart, or its order if it had no
 * cart. An id that Medusa does not know is its own key.
 */
export async function purchaseKey(database: Database, named: Named): Promise<string> {
  if ("orderId" in named) return keyIn(database, OF_ORDER, named.orderId)
  return keyIn(database, OF_PAYMENT, "sessionId" in named ? named.sessionId : named.paymentId)
}

async function keyIn(database: Database, sql: string, id: string): Promise<string> {
  const [row] = await database.query(sql, [id])
  const key = row?.["key"]
  return typeof key === "string" ? key : id
}
