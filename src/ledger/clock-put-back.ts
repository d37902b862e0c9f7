/**
 * Notices that the database's clock was ahead and was put right. What was stored meanwhile stands
 * in the future: paid prompts are due an hour too late, limits stay used up, and leases of workers
 * that died don't end. All of it is brought back by as much as the clock was.
 *
 * Deadlines stay as they are, because the gateway's documents have the same ones: a shopper has
 * more time to pay, never less. Moments that are right come early, which costs one more question.
 */
import { LIMITS } from "../core/limits"
import { rowsOf, type Database } from "./database"

/** Moments that are past or due soon. A new one belongs here unless it is a deadline or a record. */
export const MOMENTS: Readonly<Record<string, readonly string[]>> = {
  mp_operation: [
    ...["created_at", "submitted_at", "last_sent_at", "absent_at", "failed_at", "contradicted_at"],
    ...["paid_otherwise_at", "checked_at", "waiting_at", "next_check_at", "lease_until"],
    "receipt_due_at",
  ],
  mp_operation_event: ["announce_after"],
  mp_account_event: ["announce_after"],
  mp_method_event: ["announce_after"],
  mp_account: ["checks_counted_at", "checks_paused_until"],
  mp_task: ["begun_at", "due_at", "lease_until"],
  mp_notification: ["due_at"],
  mp_gateway_token: ["got_at", "claimed_until", "minute_from"],
  mp_bucket: ["full_at"],
  mp_start: ["at"],
  mp_worker: ["began_at", "seen_at", "heard_since", "passed_at"],
}

const broughtBack = (moment: string) =>
  `${moment} = case when ${moment} > now() then ${moment} - back.gap else ${moment} end`

const BRING_BACK = Object.entries(MOMENTS).map(
  ([table, moments]) => `${table}_back as (
    update ${table} set ${moments.map(broughtBack).join(", ")}
      from back where greatest(${moments.join(", ")}) > now())`,
)

/** One statement, so that of several workers one does it, and a worker that dies does nothing. */
const PUT_BACK = `
  with back as (
    update mp_database_mark
       set beat_at = clock_timestamp(), put_back_at = clock_timestamp(),
           put_back_ms = extract(epoch from beat_at - clock_timestamp()) * 1000
     where name = 'database'
       and beat_at > clock_timestamp() + ${LIMITS.clockPutBackMs} * interval '1 ms'
    returning put_back_ms as ms, put_back_ms * interval '1 ms' as gap
  ), ${BRING_BACK.join(", ")}
  select ms from back`

/**
 * Called where the mark stands in the future.
 * @returns milliseconds by which this call has brought all moments back
 */
export async function bringMomentsBack(database: Database): Promise<number | undefined> {
  const [back] = await rowsOf<{ ms: number }>(database, PUT_BACK)
  return back?.ms
}

const FIND = `
  select put_back_at as at, put_back_ms as ms from mp_database_mark
   where put_back_at > now() - ${LIMITS.clockPutBackShownMs} * interval '1 ms'`

export type ClockPutBack = { readonly at: Date; readonly ms: number }

/** When the clock was put back lately, and by how much. */
export async function findClockPutBack(database: Database): Promise<ClockPutBack | undefined> {
  const [found] = await rowsOf<ClockPutBack>(database, FIND)
  return found
}
