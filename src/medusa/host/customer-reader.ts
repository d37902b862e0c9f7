/**
 * A customer's carts and orders, by read-only SQL. A guest with an e-mail address is a customer
 * too.
 */
import type { Database } from "../../ledger/database"
import type { HostCustomers } from "../../engine/host"

/** Includes rows that Medusa has deleted, because it only marks them. */
const OWN = `
  select exists (select from customer where id = $1) as is_known,
         array(select id from cart where customer_id = $1
               union select oc.cart_id from order_cart oc join "order" o on o.id = oc.order_id
                where o.customer_id = $1) as cart_ids,
         array(select id from "order" where customer_id = $1) as order_ids`

export function customerReader(database: Database): HostCustomers {
  return {
    async customersOwn(customerId) {
      const [row = {}] = await database.query(OWN, [customerId])
      const [cartIds, orderIds] = [textsIn(row["cart_ids"]), textsIn(row["order_ids"])]
      const isKnown = row["is_known"] === true || cartIds.length + orderIds.length > 0
      return isKnown ? { customerId, cartIds, orderIds } : undefined
    },
  }
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}
