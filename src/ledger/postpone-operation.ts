import type { Operation } from "../core/operation"
import type { Database } from "./database"

/**
 * Asked, and nothing changed: the next look is set and the lease given back. Not an event, or a payment
 * that is looked at forty times would have forty rows that say nothing.
 *
 * A look that somebody brought forward while we asked (a return visit, a new shopper on screen) is kept.
 */
const POSTPONE = `
  update mp_operation
     set next_check_at = case
           when date_trunc('milliseconds', next_check_at) is distinct from $4 then next_check_at
           else now() + $3::double precision * interval '1 ms' end,
         checks = checks + case when $7 then 1 else 0 end,
         checked_at = case when $6 then now() else checked_at end,
         waiting = waiting and waiting_at > now() - $5 * interval '1 ms',
         lease_token = null,
         lease_until = null
   where id = $1 and lease_token = $2::uuid`

export async function postponeOperation(
  database: Database,
  operation: Operation,
  postpone: {
    /** Null: never again. */
    readonly inMs: number | null
    readonly waitingForgottenMs: number
    /** The gateway gave a readable answer. */
    readonly wasAnswered: boolean
    /** Uses one look of the schedule up. */
    readonly isCounted: boolean
  },
): Promise<void> {
  await database.query(POSTPONE, [
    operation.id,
    operation.leaseToken,
    postpone.inMs,
    operation.nextCheckAt,
    postpone.waitingForgottenMs,
    postpone.wasAnswered,
    postpone.isCounted,
  ])
}

/** Gives the lease back and leaves everything else alone. */
const RELEASE = `
  update mp_operation set lease_token = null, lease_until = null
   where id = $1 and lease_token = $2::uuid`

export async function releaseOperation(database: Database, operation: Operation): Promise<void> {
  await database.query(RELEASE, [operation.id, operation.leaseToken])
}

/** As `releaseOperation`, for what one claim took. */
const RELEASE_MANY = `
  update mp_operation o set lease_token = null, lease_until = null
    from unnest($1::text[], $2::uuid[]) as held (id, token)
   where o.id = held.id and o.lease_token = held.token`

export async function releaseOperations(
  database: Database,
  operations: readonly Operation[],
): Promise<void> {
  await database.query(RELEASE_MANY, [
    operations.map(({ id }) => id),
    operations.map(({ leaseToken }) => leaseToken),
  ])
}
