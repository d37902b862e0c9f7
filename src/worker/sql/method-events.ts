/** The outbox of payment methods that are disrupted or work again, as that of operations' events. */
import { LIMITS } from "../../core/limits"
import { rowsOf, type Database } from "../../ledger/database"
import type { MethodHappening } from "../rules/announcements"

export const IS_METHOD_EVENT_UNANNOUNCED = "announced_at is null"

const CLAIM = `
  with due as materialized (
    select payment_method, since, name from mp_method_event
     where ${IS_METHOD_EVENT_UNANNOUNCED} and (announce_after is null or announce_after <= now())
     order by created_at limit ${LIMITS.announcedAtOnce}
       for update skip locked
  )
  update mp_method_event e set announce_after = now() + $1 * interval '1 ms'
    from due
   where e.payment_method = due.payment_method and e.since = due.since and e.name = due.name
  returning e.payment_method as method, e.name, e.since, e.reason, e.ended, e.failed,
            e.created_at as "occurredAt"`

export function claimMethodEvents(database: Database): Promise<MethodHappening[]> {
  return rowsOf<MethodHappening>(database, CLAIM, [LIMITS.announceLeaseMs])
}

const MARK = `
  update mp_method_event e set announced_at = now()
    from unnest($1::text[], $2::timestamptz[], $3::text[]) as emitted (method, since, name)
   where e.payment_method = emitted.method and e.since = emitted.since and e.name = emitted.name
     and e.announced_at is null`

export async function markMethodEvents(
  database: Database,
  happenings: readonly Pick<MethodHappening, "method" | "since" | "name">[],
): Promise<void> {
  await database.query(MARK, [
    happenings.map(({ method }) => method),
    happenings.map(({ since }) => since),
    happenings.map(({ name }) => name),
  ])
}
