/**
 * The outbox of the store's events: rows of the ledger, committed with the change that they tell
 * of. A worker claims an event for a while, emits it and marks it. If the worker dies, the next one
 * emits it again. No transaction is open meanwhile.
 */
import { LIMITS } from "../../core/limits"
import { rowsOf, type Database } from "../../ledger/database"
import { NEWS, type Happening } from "../rules/announcements"

/** Exactly the predicate of the index `event_to_announce`, which is empty in an idle store. */
export const IS_UNANNOUNCED = `announced_at is null and ${isNews("name")}`

/** Whether an event's name in this column may be news. */
export function isNews(column: string): string {
  return `${column} in (${NEWS.map((name) => `'${name}'`).join(", ")})`
}

/** The columns of a {@link Happening}, of an event `e` and its operation `o`. */
export const HAPPENING = `
  e.operation_id as "operationId", e.seq, e.name, e.state as after,
  e.created_at as "occurredAt", o.type, o.payment_collection_id as "paymentCollectionId",
  o.cart_id as "cartId", o.order_id as "orderId", o.parent_id as "parentId",
  case when o.state = e.state then o.reason end as reason,
  (select b.state from mp_operation_event b
    where b.operation_id = e.operation_id and b.seq < e.seq
    order by b.seq desc limit 1) as before,
  (select coalesce(jsonb_agg(distinct b.state), '[]') from mp_operation_event b
    where b.operation_id = e.operation_id and b.seq < e.seq) as reached`

/**
 * Claims the oldest first. Two callers never get the same row while a claim lasts. The limit stands
 * in the text: for an unknown limit the planner expects a tenth of the table.
 */
const CLAIM = `
  with due as materialized (
    select operation_id, seq from mp_operation_event
     where ${IS_UNANNOUNCED} and (announce_after is null or announce_after <= now())
     order by created_at limit ${LIMITS.announcedAtOnce}
       for update skip locked
  ), claimed as (
    update mp_operation_event e set announce_after = now() + $1 * interval '1 ms'
      from due where e.operation_id = due.operation_id and e.seq = due.seq
    returning e.*
  )
  select ${HAPPENING}
    from claimed e join mp_operation o on o.id = e.operation_id
   order by e.created_at, e.operation_id, e.seq`

export function claimHappenings(database: Database): Promise<Happening[]> {
  return rowsOf<Happening>(database, CLAIM, [LIMITS.announceLeaseMs])
}

const MARK = `
  update mp_operation_event e set announced_at = now()
    from unnest($1::text[], $2::integer[]) as emitted (operation_id, seq)
   where e.operation_id = emitted.operation_id and e.seq = emitted.seq and e.announced_at is null`

/** Marks events as emitted, even if their claim has ended. */
export async function markAnnounced(
  database: Database,
  happenings: readonly Pick<Happening, "operationId" | "seq">[],
): Promise<void> {
  await database.query(MARK, [
    happenings.map(({ operationId }) => operationId),
    happenings.map(({ seq }) => seq),
  ])
}
