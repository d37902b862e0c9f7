/**
 * Whether checks go on: when a worker last gave a sign of life, and how long the oldest due payment
 * has waited, by the database's clock. For people and monitors; it decides nothing.
 */
import { LIMITS } from "../core/limits"
import { IS_ASKED } from "./limits/check-budget"
import { rowOf, type Database } from "./database"

export type CheckHealth = {
  /** Since a worker last looked for due payments, to `heartbeatEveryMs`; null: none ever did. */
  readonly lastPassMsAgo: number | null
  /** The names of all workers that gave a sign of life lately. */
  readonly workers: readonly string[]
  /** The longest time for which two of these workers have run at once; null: there are no two. */
  readonly togetherMs: number | null
  /** Ids of operations for which one of these workers waits for Medusa beyond the bound. */
  readonly unanswered: readonly string[]
  /** The longest wait of a due operation, also of one only to be recorded; null: none is due. */
  readonly oldestDueMs: number | null
}

/** A worker of the version before gives its signs of life by its passes. */
const PASSED = "coalesce(passed_at, case when heard_since is null then seen_at end)"

/**
 * Two probes of an index for each account, for rows with and without a waiting shopper: never a
 * walk over all due rows. What a pause of the gateway holds up has waited since its end.
 */
const PAUSED_UNTIL = `coalesce(a.checks_paused_until, '-infinity')`
export const OLDEST_DUE_MS = `
         greatest(
           (select max(${waited(`o.account_id = a.id and ${IS_ASKED}`, PAUSED_UNTIL)})
              from mp_account a where ${PAUSED_UNTIL} <= now()),
           ${waited("o.state in ('completed', 'review')", "o.next_check_at")})`
const READ = `
  select (select extract(epoch from now() - max(${PASSED}))::float8 * 1000
            from mp_worker) as "lastPassMsAgo",
         array(select id from mp_worker where seen_at > now() - $1 * interval '1 ms'
                order by seen_at desc) as workers,
         (select max(extract(epoch from least(one.seen_at, other.seen_at)
                       - greatest(one.began_at, other.began_at)))::float8 * 1000
            from mp_worker one join mp_worker other on one.id < other.id
           where least(one.seen_at, other.seen_at) > now() - $1 * interval '1 ms') as "togetherMs",
         array(select distinct held from mp_worker, unnest(unanswered) held
                where seen_at > now() - $1 * interval '1 ms' order by held) as unanswered,
         ${OLDEST_DUE_MS} as "oldestDueMs"`

function waited(rows: string, notBefore: string): string {
  const first = (isWaiting: string) => `(
           select greatest(o.next_check_at, ${notBefore}) from mp_operation o
            where ${rows} and ${isWaiting} and o.next_check_at is not null
              and o.next_check_at <= now()
            order by o.next_check_at limit 1)`
  const oldest = `least(${first("o.waiting")}, ${first("not o.waiting")})`
  return `extract(epoch from now() - ${oldest})::float8 * 1000`
}

export function readCheckHealth(database: Database): Promise<CheckHealth> {
  return rowOf<CheckHealth>(database, READ, [LIMITS.workerGoneAfterMs])
}
