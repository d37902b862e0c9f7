/**
 * Making operations due for the job that looks at them. Nothing is decided here, and no state moves:
 * the look asks the gateway, or Medusa, and decides. What somebody holds keeps its lease.
 */
import { LIMITS } from "../core/limits"
import type { Database } from "./database"

/**
 * I7: what is not final is due at some moment. A row without one was left so by a mistake, ours or a
 * person's; nobody would ever ask about its money again.
 */
const WAKE_FORGOTTEN = `
  with forgotten as materialized (
    select id from mp_operation
     where next_check_at is null and recorded_at is null and returned_at is null
       and state in ('drafted', 'submitted', 'in_flight', 'completed')
       and (state <> 'completed' or (type = 'COLLECTION' and reserved_refund_minor = 0))
       and (lease_until is null or lease_until < now())
     order by id limit $1
       for update skip locked
  )
  update mp_operation o set next_check_at = now()
    from forgotten where o.id = forgotten.id
  returning o.id, o.state`

export type Woken = { readonly id: string; readonly state: string }

/** @returns those that nobody would have looked at again, now due; at most `limit` of them */
export async function wakeForgotten(database: Database, limit: number): Promise<Woken[]> {
  const rows = await database.query(WAKE_FORGOTTEN, [limit])
  return rows.map((row) => ({ id: String(row["id"]), state: String(row["state"]) }))
}

/**
 * An order that waits for its money, and whose payments have ended: a worker of the version before, which
 * knows of no end of an order's time, plans no look for it. By the index of what is not pruned yet, and
 * not further back than `$2` ms: older ones are a person's by now.
 */
const WAKE_UNCLOSED = `
  with unclosed as materialized (
    select id from mp_operation
     where events_pruned_at is null and next_check_at is null
       and state in ('completed', 'failed', 'expired') and state in ('failed', 'expired')
       and updated_at > now() - $2 * interval '1 ms'
       and window_ends_at is not null and window_done_at is null
       and (lease_until is null or lease_until < now())
     order by updated_at limit $1
       for update skip locked
  )
  update mp_operation o set next_check_at = greatest(now(), o.window_ends_at)
    from unclosed where o.id = unclosed.id
  returning o.id, o.state`

/** @returns those whose order nobody would have closed, now due at the end of its time */
export async function wakeUnclosed(database: Database, limit: number): Promise<Woken[]> {
  const rows = await database.query(WAKE_UNCLOSED, [limit, LIMITS.watchForMs])
  return rows.map((row) => ({ id: String(row["id"]), state: String(row["state"]) }))
}

/** What is to be looked at sooner anyway stays so; what is paid has its own pauses, and an end. */
const WAKE = `
  update mp_operation
     set next_check_at = least(next_check_at, now())
   where id = any($1::text[]) and state in ('drafted', 'submitted', 'in_flight')
  returning id, state`

/** @returns those that are due now */
export async function wakeOperations(database: Database, ids: readonly string[]): Promise<Woken[]> {
  if (ids.length === 0) return []
  const rows = await database.query(WAKE, [[...ids]])
  return rows.map((row) => ({ id: String(row["id"]), state: String(row["state"]) }))
}
