/**
 * An order that was placed before its money came has a limited time to be paid in: its window. The
 * end is the same in all rows of its operations, by the database's clock. The statements that
 * insert a draft and that commit a reference refuse once the window is over, so if no operation is
 * live then, none will be.
 */
import type { OrderId, PaymentCollectionId } from "../core/ids"
import { LIMITS } from "../core/limits"
import type { Database } from "./database"

/**
 * When a row is checked next, as SQL over the row: not later than its order's window ends, and
 * after that until the end is dealt with. This holds also for an operation that has ended, whatever
 * its watch says.
 *
 * @param next the moment that is planned, as SQL; may be null
 * @param state the state that the row will have, as SQL
 */
export function withinOrderWindow(next: string, state: string): string {
  return `case
    when window_ends_at is null or window_done_at is not null then ${next}
    when ${state} not in ('drafted', 'submitted', 'in_flight', 'failed', 'expired') then ${next}
    when window_ends_at > now() then least(${next}, window_ends_at)
    when ${state} in ('failed', 'expired')
      then coalesce(${next}, now() + interval '${LIMITS.orderCloseRetryMs} ms')
    else ${next} end`
}

/** Nothing is sent for an order whose window is over. */
export const IS_WITHIN_ORDER_WINDOW = `(window_ends_at is null or window_ends_at > now())`

/**
 * The order is placed, so its window begins, unless one of its operations already says when it
 * ends. An order that was undone and placed anew is another order, with a window of its own.
 *
 * Needs no lease, like a rebind: it moves no state, and the new version makes another writer read
 * again.
 */
const GIVE = `
  with known as (
    select coalesce(min(window_ends_at) filter (where order_id = $2),
                    now() + $3::double precision * interval '1 ms') as ends_at
      from mp_operation where payment_collection_id = $1 and type = 'COLLECTION'
  ), moved as (
    update mp_operation o
       set order_id = $2, window_ends_at = known.ends_at, window_done_at = null,
           next_check_at = case
             when o.state in ('drafted', 'submitted', 'in_flight', 'failed', 'expired')
             then least(o.next_check_at, greatest(known.ends_at, now())) else o.next_check_at end,
           version = o.version + 1, updated_at = now()
      from known
     where o.payment_collection_id = $1 and o.type = 'COLLECTION'
       and (o.order_id is distinct from $2 or o.window_ends_at is null)
       and o.recorded_at is null and o.returned_at is null
    returning o.*
  )
  insert into mp_operation_event (operation_id, seq, name, state, code, facts)
  select id, version, 'order_placed', state, 'order_placed',
         jsonb_build_object('order_id', order_id)
    from moved`

export async function giveOrderWindow(
  database: Database,
  order: {
    readonly paymentCollectionId: PaymentCollectionId
    readonly orderId: OrderId
    readonly windowMs: number
  },
): Promise<void> {
  await database.query(GIVE, [order.paymentCollectionId, order.orderId, order.windowMs])
}

/** The order was undone while it was being placed, so there is no order whose window could end. */
const FORGET = `
  with moved as (
    update mp_operation o
       set window_ends_at = null, window_done_at = null, order_id = null,
           version = version + 1, updated_at = now()
     where payment_collection_id = $1 and type = 'COLLECTION' and window_ends_at <= now()
       and recorded_at is null
    returning o.*
  )
  insert into mp_operation_event (operation_id, seq, name, state, code, facts)
  select id, version, 'order_undone', state, 'order_gone', '{}'
    from moved`

export async function forgetOrderWindow(
  database: Database,
  paymentCollectionId: PaymentCollectionId,
): Promise<void> {
  await database.query(FORGET, [paymentCollectionId])
}
