/**
 * The link of an order's receipt. It is made with the first question for it after the money, and
 * works until a while after that money last moved.
 */
import { idFrom, type OrderId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import type { Database } from "../../ledger/database"

/**
 * When the order's money last moved, came into Medusa or went back; null: none came that Medusa
 * has, or that was given back. Whatever else is written of a payment later moves no link's end.
 */
const MOVED = (orderId: string) => `
  (select max(greatest(c.money_at, c.recorded_at, c.returned_at, (
            select max(r.money_at) from mp_operation r
             where r.parent_id = c.id and r.type = 'REFUND' and r.state = 'completed')))
     from mp_operation c
    where c.order_id = ${orderId} and c.type = 'COLLECTION' and c.state = 'completed'
      and (c.recorded_at is not null or c.returned_at is not null))`

const KEEP_TOKEN = `
  with moved as materialized (select ${MOVED("$1")} > now() - $3 * interval '1 ms' as is_lately),
  made as (
    insert into mp_receipt_link (order_id, token) select $1, $2 from moved where is_lately
    on conflict (order_id) do nothing
    returning token
  )
  select token from made
  union all
  select l.token from mp_receipt_link l, moved
   where l.order_id = $1 and l.ended_at is null and moved.is_lately
     and ($4 or l.renewed_at is null)`

/**
 * The token of an order's receipt.
 *
 * @param fresh the token of an order that has none yet
 * @param which `isFirst`: not a renewed one
 * @returns undefined: the order is not paid, or its link has ended
 */
export async function receiptToken(
  database: Database,
  orderId: OrderId,
  fresh: string,
  { isFirst }: { readonly isFirst: boolean } = { isFirst: false },
): Promise<string | undefined> {
  const values = [orderId, fresh, LIMITS.receiptLinkForMs, !isFirst]
  const keep = () => database.query(KEEP_TOKEN, values)
  const [row] = await keep()
  // Of two first questions at once, the slower statement does not see the faster one's row yet.
  const [known] = row ? [row] : await keep()
  return known && String(known["token"])
}

const FIND = `
  select l.order_id,
         l.ended_at is not null
           or coalesce(${MOVED("l.order_id")} < now() - $2 * interval '1 ms', true) as has_ended
    from mp_receipt_link l where l.token = $1`

export type FoundReceipt = { readonly orderId: OrderId; readonly hasEnded: boolean }

export async function findReceiptLink(
  database: Database,
  token: string,
): Promise<FoundReceipt | undefined> {
  const [row] = await database.query(FIND, [token, LIMITS.receiptLinkForMs])
  return (
    row && {
      orderId: idFrom<OrderId>(String(row["order_id"])),
      hasEnded: row["has_ended"] === true,
    }
  )
}

const REPLACE = `
  update mp_receipt_link set token = $2, created_at = now(), renewed_at = now()
   where order_id = $1 and ended_at is null returning token`

/** Ends the order's link for good and gives it another; does nothing where it has none. */
export async function replaceReceiptToken(
  database: Database,
  orderId: OrderId,
  fresh: string,
): Promise<void> {
  await database.query(REPLACE, [orderId, fresh])
}

const IS_ERASED = `select from mp_receipt_link where order_id = $1 and is_erased`

/** Whether the personal data of the order's customer was erased. */
export async function isReceiptErased(database: Database, orderId: OrderId): Promise<boolean> {
  return (await database.query(IS_ERASED, [orderId])).length > 0
}
