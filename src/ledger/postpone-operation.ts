import { LIMITS } from "../core/limits"
import type { Operation } from "../core/operation"
import type { Database } from "./database"
import { withinOrderWindow } from "./order-window"

/** The result of a check that changed nothing: when to check again. */
export type Postponement = {
  /** Milliseconds until the next check; null: never again. */
  readonly inMs: number | null
  /** The gateway gave a readable answer. */
  readonly wasAnswered: boolean
  /** The check uses up one of the schedule's checks. */
  readonly isCounted: boolean
}

/**
 * Sets the next check and releases the lease. No event is written, or forty checks would be forty
 * rows that say nothing. A row whose lease another worker has is left alone; the same statement
 * again changes nothing. A check that was brought forward meanwhile (a return visit) is kept.
 */
const POSTPONE = `
  update mp_operation o
     set next_check_at = case
           when date_trunc('milliseconds', o.next_check_at) is distinct from checked.due_at
             then o.next_check_at
           else ${withinOrderWindow("now() + checked.in_ms * interval '1 ms'", "o.state")} end,
         checks = o.checks + case when checked.is_counted then 1 else 0 end,
         checked_at = case when checked.was_answered then now() else o.checked_at end,
         waiting = o.waiting and o.waiting_at > now() - $7 * interval '1 ms',
         lease_token = null,
         lease_until = null
    from unnest($1::text[], $2::uuid[], $3::timestamptz[], $4::float8[], $5::boolean[],
                $6::boolean[])
         as checked (id, token, due_at, in_ms, was_answered, is_counted)
   where o.id = checked.id and o.lease_token = checked.token`

/** Postpones any number of operations, also none, in one statement. No id may occur twice. */
export async function postponeOperations(
  database: Database,
  checks: readonly (readonly [Operation, Postponement])[],
): Promise<void> {
  if (checks.length === 0) return
  await database.query(
    POSTPONE,
    [
      checks.map(([{ id }]) => id),
      checks.map(([{ leaseToken }]) => leaseToken),
      checks.map(([{ nextCheckAt }]) => nextCheckAt),
      checks.map(([, { inMs }]) => inMs),
      checks.map(([, { wasAnswered }]) => wasAnswered),
      checks.map(([, { isCounted }]) => isCounted),
      LIMITS.waitingForgottenMs,
    ],
    "mp_postpone",
  )
}

export async function postponeOperation(
  database: Database,
  operation: Operation,
  postponement: Postponement,
): Promise<void> {
  await postponeOperations(database, [[operation, postponement]])
}

/** The gateway was not asked, so no check of the schedule is used up. */
export const unasked = (inMs: number | null): Postponement => ({
  inMs,
  wasAnswered: false,
  isCounted: false,
})

export async function postponeUnasked(
  database: Database,
  operation: Operation,
  inMs: number | null,
): Promise<void> {
  await postponeOperation(database, operation, unasked(inMs))
}

/** Gives the leases back and leaves everything else alone. */
const RELEASE = `
  update mp_operation o set lease_token = null, lease_until = null
    from unnest($1::text[], $2::uuid[]) as held (id, token)
   where o.id = held.id and o.lease_token = held.token`

export async function releaseOperations(
  database: Database,
  operations: readonly Operation[],
): Promise<void> {
  if (operations.length === 0) return
  await database.query(RELEASE, [
    operations.map(({ id }) => id),
    operations.map(({ leaseToken }) => leaseToken),
  ])
}

export async function releaseOperation(database: Database, operation: Operation): Promise<void> {
  await releaseOperations(database, [operation])
}

/** Lets leases last `$3` ms from now; operations that another worker holds by now are left. */
const KEEP = `
  update mp_operation o set lease_until = now() + $3 * interval '1 ms'
    from unnest($1::text[], $2::uuid[]) as held (id, token)
   where o.id = held.id and o.lease_token = held.token
  returning o.id`

/**
 * Called before a step that may take long.
 *
 * @returns how many operations are still held; other workers have the rest
 */
export async function keepLeases(
  database: Database,
  operations: readonly Operation[],
  leaseMs: number,
): Promise<number> {
  const rows = await database.query(KEEP, [
    operations.map(({ id }) => id),
    operations.map(({ leaseToken }) => leaseToken),
    leaseMs,
  ])
  return rows.length
}
