/**
 * Making operations due for the job that checks them. Nothing is decided here, and no state moves:
 * the check asks the gateway, or Medusa, and decides. What somebody holds keeps its lease.
 */
import type { Database } from "../../ledger/database"

/**
 * I7: what is not final is due at some moment. A row without one was left so by a mistake, ours or
 * a person's; nobody would ever ask about its money again.
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

/** @returns those that nobody would have checked again, now due; at most `limit` of them */
export async function wakeForgotten(database: Database, limit: number): Promise<Woken[]> {
  const rows = await database.query(WAKE_FORGOTTEN, [limit])
  return rows.map((row) => ({ id: String(row["id"]), state: String(row["state"]) }))
}

/** What is to be checked sooner anyway stays so; what is paid has its own pauses, and an end. */
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
