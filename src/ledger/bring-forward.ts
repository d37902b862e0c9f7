import type { OperationId } from "../core/ids"
import { LIMITS } from "../core/limits"
import type { Database } from "./database"
import { ON_PAGE } from "./flow-lists"

/**
 * A shopper waits on screen, so the operation is checked soon, and often; written at most every
 * `$2` ms. The next check is moved also while a check is running, which then keeps the moved
 * moment. Money that Medusa could not take yet keeps its growing pauses, or a page that asks for
 * STATUS would use up the tries within minutes.
 */
const WAITING = `
  update mp_operation
     set waiting = true, waiting_at = now(),
         next_check_at = case when state = 'completed' and settle_attempts > 0 then next_check_at
                         when lease_until > now() then now() + $3 * interval '1 ms'
                         else least(next_check_at, now() + $3 * interval '1 ms') end
   where id = any($1::text[]) and next_check_at is not null
     and state in ('submitted', 'in_flight', 'completed')
     and (not waiting or waiting_at is null or waiting_at < now() - $2 * interval '1 ms')`

export async function markWaiting(
  database: Database,
  ids: readonly OperationId[],
  atMostEveryMs: number = LIMITS.waitingRefreshMs,
): Promise<void> {
  await database.query(WAITING, [ids, atMostEveryMs, LIMITS.waitingCheckFloorMs])
}

/**
 * A shopper or a change asks for a check now; no state moves. A running check of an open operation
 * may have asked too early, so it is repeated. Once the operation has ended the check is not
 * counted, or a few visits would use up the watch that finds late money. Money that an admin has
 * dismissed is left alone.
 */
const FORWARD = `
  update mp_operation
     set next_check_at = now(), waiting = true, waiting_at = now(),
         checks = case when state in ('failed', 'expired') then checks - 1 else checks end
   where id = $1 and state in ('submitted', 'in_flight', 'completed', 'failed', 'expired')
     and recorded_at is null and returned_at is null
     and not (state in ('failed', 'expired') and collected_minor is not null)
     and not (state = 'completed' and settle_attempts > 0)
     and (next_check_at is null or next_check_at > now()
          or (lease_until > now() and state not in ('failed', 'expired')))
     and (checked_at is null or checked_at < now() - $2 * interval '1 ms')`

export async function bringForward(
  database: Database,
  id: OperationId,
  everyMs: number,
): Promise<void> {
  await database.query(FORWARD, [id, everyMs])
}

/**
 * The shopper of a failed payment is still on the page, so it is checked in `$2` ms, if that is
 * sooner than planned. The check is not counted, so the watch for late money keeps its own checks.
 * Money that an admin has dismissed is left alone.
 */
const FAILED_ON_SCREEN = `
  update mp_operation
     set next_check_at = now() + $2::float8 * interval '1 ms', checks = greatest(checks - 1, -1)
   where id = $1 and state = 'failed' and collected_minor is null
     and (lease_until is null or lease_until < now())
     and (next_check_at is null
       or next_check_at > now() + ($2::float8 + $3::float8) * interval '1 ms')`

export async function bringFailedForward(
  database: Database,
  id: OperationId,
  { inMs, slackMs }: { readonly inMs: number; readonly slackMs: number },
): Promise<void> {
  await database.query(FAILED_ON_SCREEN, [id, inMs, slackMs])
}

/**
 * The purchase behind a payment page has changed: the operation is checked now, or as soon as the
 * last answer is `$2` ms old, so that a cart which is edited without end does not ask the gateway
 * without end. The check is never later than it was due. A running check may have read the cart too
 * early, so it is repeated.
 */
const AFTER_CHANGE = `
  update mp_operation
     set next_check_at = greatest(now(), checked_at + $2 * interval '1 ms')
   where id = $1 and flow in (${ON_PAGE}) and state in ('submitted', 'in_flight')
     and (next_check_at is null or lease_until > now()
          or next_check_at > greatest(now(), checked_at + $2 * interval '1 ms'))`

export async function checkAfterChange(database: Database, id: OperationId): Promise<void> {
  await database.query(AFTER_CHANGE, [id, LIMITS.changeCheckEveryMs])
}

/**
 * The gateway's push transport says that something changed, which proves nothing. The operation is
 * checked now, or as soon as the last answer is `$2` ms old, so that a flood of updates asks no
 * more than a shopper on screen. The check is never later than it was due. A running check may have
 * asked too early, so it is repeated.
 */
const AFTER_UPDATE = `
  update mp_operation
     set next_check_at = case when lease_until > now() then now() + $2 * interval '1 ms'
                         else greatest(now(), checked_at + $2 * interval '1 ms') end
   where id = any($1::text[]) and state in ('submitted', 'in_flight') and next_check_at is not null
     and (lease_until > now()
          or next_check_at > greatest(now(), checked_at + $2 * interval '1 ms'))`

export async function checkAfterUpdate(
  database: Database,
  ids: readonly OperationId[],
): Promise<void> {
  await database.query(AFTER_UPDATE, [ids, LIMITS.waitingCheckFloorMs])
}
