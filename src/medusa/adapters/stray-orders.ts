/**
 * Finds orders that a completion of a cart wrote and left. `complete-cart` makes the order before
 * its links, in two transactions: a process that dies in between leaves an order that nothing
 * links to its cart, and the next completion makes a second one (H35). Read only.
 *
 * An order is a stray only if all of it says so. It is `pending` and has never been a draft, a
 * change, a return, a payment collection, a transaction, a fulfilment or a cart. An order that was
 * made after it, linked to its cart, has the same customer, e-mail, region, sales channel,
 * currency, addresses, metadata, items with quantities and prices, and shipping.
 */
import type { OrderId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import { rowsOf, type Database } from "../../ledger/database"
import type { MedusaStrays, StrayOrder } from "../../engine/stray-order"

const has = (table: string) => `exists (select from ${table} other where other.order_id = stray.id)`

/** Any link counts, a removed one as well: an order that was linked once is no stray. */
const IS_LEFT = `
  stray.status = 'pending' and stray.version = 1 and not coalesce(stray.is_draft_order, false)
    and stray.canceled_at is null and stray.deleted_at is null and stray.customer_id is not null
    and stray.created_at <= now() - ${LIMITS.strayOrderAfterMs} * interval '1 ms'
    and not ${has("order_cart")} and not ${has("order_payment_collection")}
    and not ${has("order_transaction")} and not ${has("order_fulfillment")}
    and not ${has("order_change")} and not ${has('"return"')}
    and not ${has("order_claim")} and not ${has("order_exchange")}`

/** What the order had when it was made; later versions belong to edits. */
const itemsOf = (order: string) => `
  (select jsonb_agg(jsonb_build_array(l.variant_id, l.product_id, l.title, i.quantity,
            coalesce(i.unit_price, l.unit_price)) order by l.variant_id, l.title, i.quantity,
            coalesce(i.unit_price, l.unit_price), l.product_id)
     from order_item i join order_line_item l on l.id = i.item_id
    where i.order_id = ${order}.id and i.version = 1 and i.deleted_at is null)`

const shippingOf = (order: string) => `
  (select jsonb_agg(jsonb_build_array(m.shipping_option_id, m.name, m.amount)
            order by m.shipping_option_id, m.name, m.amount)
     from order_shipping s join order_shipping_method m on m.id = s.shipping_method_id
    where s.order_id = ${order}.id and s.version = 1 and s.deleted_at is null)`

const addressOf = (id: string) => `
  (select to_jsonb(a) - '{id,customer_id,created_at,updated_at,deleted_at}'::text[]
     from order_address a where a.id = ${id})`

const isSame = (of: (order: string) => string) =>
  `${of("stray")} is not distinct from ${of("made")}`

const FIELDS = ["email", "region_id", "sales_channel_id", "currency_code", "metadata"]

const IS_EQUAL = [
  ...FIELDS.map((field) => isSame((order) => `${order}.${field}`)),
  isSame((order) => addressOf(`${order}.shipping_address_id`)),
  isSame((order) => addressOf(`${order}.billing_address_id`)),
  isSame(shippingOf),
  `${itemsOf("stray")} = ${itemsOf("made")}`,
].join("\n    and ")

/** The number counts up in the database, so no clock decides which of the two came first. */
const STRAYS = `
  select stray.id, stray.display_id::text as number, stray.created_at as "createdAt",
         made.id as "madeId", made.created_at as "madeAt", link.cart_id as "cartId"
    from "order" stray
    join "order" made
      on made.customer_id = stray.customer_id and made.display_id > stray.display_id
     and made.deleted_at is null
    join order_cart link on link.order_id = made.id and link.deleted_at is null
   where ${IS_LEFT}
     and stray.created_at <= made.created_at
     and ${IS_EQUAL}`

/** Medusa's ids are ULIDs: their first ten letters are the time, so the primary key is the index. */
const SINCE = `${STRAYS}
     and stray.id >= $1 and stray.created_at >= $2
   order by stray.id, made.id limit ${LIMITS.upkeepRowsMax}`

const WITH_IDS = `${STRAYS} and stray.id = any($1::text[]) order by stray.id, made.id`

export function straysReader(database: Database): MedusaStrays {
  return {
    strayOrdersSince: (since) =>
      rowsOf<StrayOrder>(database, SINCE, [`order_${ulidTime(since)}`, since]),
    strayOrders: (ids: readonly OrderId[]) => rowsOf<StrayOrder>(database, WITH_IDS, [[...ids]]),
  }
}

const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const TIME_LETTERS = 10

/** The first letters of every ULID that is made at this moment. */
function ulidTime(at: Date): string {
  let left = at.getTime()
  let text = ""
  for (let place = 0; place < TIME_LETTERS; place++) {
    text = (LETTERS[left % LETTERS.length] ?? "") + text
    left = Math.floor(left / LETTERS.length)
  }
  return text
}
