/**
 * Whether the checking goes on: when a worker last came by, and how long the oldest due payment has
 * waited, by the database's clock. For people and monitors; nothing is decided by it.
 */
import { LIMITS } from "../core/limits"
import { rowOf, type Database } from "./database"

export type CheckHealth = {
  /** Since a worker last came by, true to `heartbeatEveryMs`; null: none ever did. */
  readonly lastPassMsAgo: number | null
  /** All that gave a sign of life lately, by name. */
  readonly workers: readonly string[]
  /** How long two of them have been there side by side, at the longest; null: there are no two. */
  readonly togetherMs: number | null
  /** Operations for which one of them waits for Medusa beyond the bound. */
  readonly unanswered: readonly string[]
  /** The longest wait of all that is due, also of what is to be recorded; null when nothing is. */
  readonly oldestDueMs: number | null
}

/** Two probes of an index for each account, one for each half: never a walk over what is due. */
const READ = `
  select (select extract(epoch from now() - max(seen_at))::float8 * 1000
            from mp_worker) as "lastPassMsAgo",
         array(select id from mp_worker where seen_at > now() - $1 * interval '1 ms'
                order by seen_at desc) as workers,
         (select max(extract(epoch from least(one.seen_at, other.seen_at)
                       - greatest(one.began_at, other.began_at)))::float8 * 1000
            from mp_worker one join mp_worker other on one.id < other.id
           where least(one.seen_at, other.seen_at) > now() - $1 * interval '1 ms') as "togetherMs",
         array(select distinct held from mp_worker, unnest(unanswered) held
                where seen_at > now() - $1 * interval '1 ms' order by held) as unanswered,
         greatest(
           (select max(${waited("o.account_id = a.id and o.state not in ('completed', 'review')")})
              from mp_account a),
           ${waited("o.state in ('completed', 'review')")}) as "oldestDueMs"`

function waited(rows: string): string {
  const first = (isWaiting: string) => `(
           select o.next_check_at from mp_operation o
            where ${rows} and ${isWaiting} and o.next_check_at is not null
              and o.next_check_at <= now()
            order by o.next_check_at limit 1)`
  const oldest = `least(${first("o.waiting")}, ${first("not o.waiting")})`
  return `extract(epoch from now() - ${oldest})::float8 * 1000`
}

export function readCheckHealth(database: Database): Promise<CheckHealth> {
  return rowOf<CheckHealth>(database, READ, [LIMITS.workerGoneAfterMs])
}

/** The worker has ended: it does not count as one that is there. */
export async function forgetWorker(database: Database, worker: string): Promise<void> {
  await database.query(`delete from mp_worker where id = $1`, [worker])
}
