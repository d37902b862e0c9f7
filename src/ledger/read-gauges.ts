/** What monitors ask of the database from time to time: one statement over small indexes. */
import { LIMITS } from "../core/limits"
import { rowOf, type Database } from "./database"
import { OLDEST_DUE_MS } from "./read-check-health"

export type Gauges = {
  /** The longest wait of a due operation, also of one only to be recorded; null: none is due. */
  readonly oldestDueMs: number | null
  /** Completed payments that Medusa has not recorded, counted up to `LIMITS.gaugesCountMost`. */
  readonly unrecorded: number
  readonly workers: number
  /** Workers of the last `LIMITS.workersExpectedMs`; one that ended in order does not count. */
  readonly expected: number
  readonly paused: number
  readonly review: readonly {
    readonly type: string
    readonly currency: string
    readonly count: number
    readonly minor: string
  }[]
  /** Payment methods that are told to fail most of their payments. */
  readonly disrupted: readonly string[]
}

const READ = `
  select ${OLDEST_DUE_MS} as "oldestDueMs",
         (select count(*)::int from (
            select from mp_operation
             where next_check_at is not null and state in ('completed', 'review')
               and state = 'completed' and type = 'COLLECTION' and recorded_at is null
             limit $3) one) as unrecorded,
         (select count(*)::int from mp_worker
           where seen_at > now() - $1 * interval '1 ms') as workers,
         (select count(*)::int from mp_worker
           where heard_since is not null
             and seen_at > now() - $2 * interval '1 ms') as expected,
         (select count(*)::int from mp_account where checks_paused_until > now()) as paused,
         (select coalesce(json_agg(kind), '[]') from (
            select type, currency_code as currency, count(*)::int as count,
                   sum(coalesce(collected_minor, amount_minor))::text as minor
              from (select type, currency_code, collected_minor, amount_minor
                      from mp_operation where state = 'review' limit $3) waiting
             group by type, currency_code) kind) as review,
         array(select substr(subject, length('operator:') + 1) from mp_notification_trouble
                where subject like 'operator:%' order by 1) as disrupted`

export function readGauges(database: Database): Promise<Gauges> {
  const { workerGoneAfterMs, workersExpectedMs, gaugesCountMost } = LIMITS
  return rowOf<Gauges>(database, READ, [workerGoneAfterMs, workersExpectedMs, gaugesCountMost])
}
