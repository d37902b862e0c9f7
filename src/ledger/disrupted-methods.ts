/**
 * How mobile money goes now, by operator: its payments of the last minutes, and since when most of
 * them fail. A row of `mp_notification_trouble` is the one fact of that, for shoppers, admins,
 * events, notifications and metrics alike. No payment is decided by it.
 */
import { LIMITS } from "../core/limits"
import { momentIn, type Database } from "./database"

const PREFIX = "operator:"

export const disruptedSubject = (method: string): string => `${PREFIX}${method}`

const DISRUPTED = `
  select substr(subject, length('${PREFIX}') + 1) as method, since from mp_notification_trouble
   where subject like '${PREFIX}%'`

export async function listDisruptedMethods(database: Database): Promise<ReadonlySet<string>> {
  const rows = await database.query(DISRUPTED, [], "mp_methods_disrupted")
  return new Set(rows.map(({ method }) => String(method)))
}

/** Payments that began within `LIMITS.operatorTroubleWithinMs`. */
type MethodTries = {
  readonly ended: number
  /** Of `ended`: for a reason that is the operator's own. */
  readonly failed: number
  readonly completed: number
  readonly underWay: number
}

export type MethodHealth = MethodTries & {
  readonly method: string
  /** Since when it counts as disrupted; null: it does not. */
  readonly disruptedSince: Date | null
  /** Half of the payers took longer to confirm than so many seconds; null: not known of any. */
  readonly middleSeconds: number | null
}

/**
 * A payer who declines, has no money or types a wrong PIN was served by the operator, so that is no
 * failure here. A disrupted method stands in the rows also if nobody tries it.
 */
const HEALTH = `
  with tries as (
    select payment_method as method,
           count(*) filter (where state in ('completed', 'failed', 'expired'))::int as ended,
           count(*) filter (where state = 'failed'
                              and reason in ('operator_unavailable', 'unknown'))::int as failed,
           count(*) filter (where state = 'completed')::int as completed,
           count(*) filter (where state in ('submitted', 'in_flight'))::int as under_way,
           percentile_cont(0.5) within group (order by confirmed_after_ms / 1000.0)
             filter (where state = 'completed') as middle_seconds
      from mp_operation
     where type = 'COLLECTION' and created_at > now() - $1 * interval '1 ms'
       and state in ('submitted', 'in_flight', 'completed', 'failed', 'expired')
       and submitted_at is not null and payment_method is not null and flow = 'push'
     group by payment_method
  )
  select method, since, middle_seconds, coalesce(ended, 0) as ended, coalesce(failed, 0) as failed,
         coalesce(completed, 0) as completed, coalesce(under_way, 0) as under_way
    from tries full join (${DISRUPTED}) disrupted using (method) order by method`

/** Of each operator that is tried or counts as disrupted. */
export async function readMethodHealth(database: Database): Promise<MethodHealth[]> {
  const rows = await database.query(HEALTH, [LIMITS.operatorTroubleWithinMs])
  return rows.map((row) => ({
    method: String(row["method"]),
    disruptedSince: row["since"] === null ? null : momentIn(row["since"]),
    ended: Number(row["ended"]),
    failed: Number(row["failed"]),
    completed: Number(row["completed"]),
    underWay: Number(row["under_way"]),
    middleSeconds: row["middle_seconds"] === null ? null : Number(row["middle_seconds"]),
  }))
}
