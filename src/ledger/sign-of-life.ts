/** What the health page reads to say that the job runs: which workers were there lately. */
import { LIMITS } from "../core/limits"
import type { Database } from "./database"

/**
 * A worker writes its row at most once in `$3` milliseconds, and deletes the rows of workers that
 * were not seen for `$4` milliseconds.
 */
const SEEN = `
  with seen as (
    insert into mp_worker (id, seen_at, unanswered)
    select $1::text, now(), $2::text[] where not exists (
      select from mp_worker where id = $1 and seen_at > now() - $3 * interval '1 ms')
    on conflict (id) do update
      set seen_at = excluded.seen_at, unanswered = excluded.unanswered
  )
  delete from mp_worker where id <> $1 and seen_at < now() - $4 * interval '1 ms'`

export async function giveSignOfLife(
  database: Database,
  worker: string,
  /** Ids of operations for which the worker waits for Medusa. */
  unanswered: readonly string[],
): Promise<void> {
  const { heartbeatEveryMs, workerForgottenMs } = LIMITS
  const parameters = [worker, unanswered, heartbeatEveryMs, workerForgottenMs]
  await database.query(SEEN, parameters, "mp_sign_of_life")
}

/** The worker has ended, so it no longer counts as running. */
export async function forgetWorker(database: Database, worker: string): Promise<void> {
  await database.query(`delete from mp_worker where id = $1`, [worker])
}
