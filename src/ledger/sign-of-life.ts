/**
 * A worker's sign of life: that its process runs, when it last looked for due payments, and what it
 * waits for. A worker that is silent loses its leases (`lease.ts`).
 */
import { LIMITS } from "../core/limits"
import type { Database } from "./database"
import { SILENT } from "./lease"

/**
 * Since when workers were heard without a gap, this one or those before it. A worker that begins
 * takes over where another one is still heard, so workers that each live for some seconds only are
 * together a witness of another's silence. After an outage of the database that lasts as long as a
 * silence nobody is heard any more, and it begins with the first who is; a shorter one is no gap.
 */
const HEARD_SINCE = `coalesce(
  (select min(other.heard_since) from mp_worker other where other.seen_at > ${SILENT}), now())`

/** Rows of workers that were not heard for `$4` milliseconds are deleted. */
const HEARD = `
  with heard as (
    insert into mp_worker (id, seen_at, heard_since, passed_at, unanswered)
    values ($1, now(), ${HEARD_SINCE}, now() - $3::float8 * interval '1 ms', $2::text[])
    on conflict (id) do update
      set heard_since = case
            when mp_worker.seen_at > ${SILENT}
              then coalesce(mp_worker.heard_since, excluded.heard_since)
            else excluded.heard_since end,
          seen_at = excluded.seen_at, passed_at = excluded.passed_at,
          unanswered = excluded.unanswered
  )
  delete from mp_worker where id <> $1 and seen_at < now() - $4 * interval '1 ms'`

export type SignOfLife = {
  /** Ids of operations for which the worker waits for Medusa. */
  readonly unanswered: readonly string[]
  /** Since it last looked for due payments; null: it has not yet. */
  readonly passedMsAgo: number | null
}

export async function giveSignOfLife(
  database: Database,
  worker: string,
  { unanswered, passedMsAgo }: SignOfLife,
): Promise<void> {
  const parameters = [worker, unanswered, passedMsAgo, LIMITS.workerForgottenMs]
  await database.query(HEARD, parameters, "mp_sign_of_life")
}

const ENDED = `
  update mp_worker
     set seen_at = least(seen_at, now() - $2 * interval '1 ms'), heard_since = null
   where id = $1`

/** The worker has ended, so it no longer counts as running, and what it still holds is free. */
export async function endWorker(database: Database, worker: string): Promise<void> {
  await database.query(ENDED, [worker, LIMITS.workerGoneAfterMs])
}
