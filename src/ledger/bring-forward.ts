import type { Database } from "./database"

/** A shopper is on screen: looked at soon, and often. Written at most every `$2` ms. */
const WAITING = `
  update mp_operation
     set waiting = true, waiting_at = now(),
         next_check_at = least(next_check_at, now() + $3 * interval '1 ms')
   where id = $1 and next_check_at is not null and state in ('submitted', 'in_flight', 'completed')
     and (not waiting or waiting_at is null or waiting_at < now() - $2 * interval '1 ms')`

export async function markWaiting(
  database: Database,
  id: string,
  waiting: { readonly atMostEveryMs: number; readonly lookWithinMs: number },
): Promise<void> {
  await database.query(WAITING, [id, waiting.atMostEveryMs, waiting.lookWithinMs])
}

/** Somebody came back, or said something changed: look now. It proves nothing and moves no state. */
const FORWARD = `
  update mp_operation
     set next_check_at = now(), waiting = true, waiting_at = now()
   where id = $1 and state in ('submitted', 'in_flight', 'completed', 'failed', 'expired')
     and recorded_at is null and returned_at is null
     and (next_check_at is null or next_check_at > now())
     and (checked_at is null or checked_at < now() - $2 * interval '1 ms')`

export async function bringForward(database: Database, id: string, everyMs: number): Promise<void> {
  await database.query(FORWARD, [id, everyMs])
}
