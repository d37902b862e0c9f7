/**
 * How mobile money goes now, by operator: its payments of the last minutes, and since when most of
 * them fail. A row of `mp_notification_trouble` is the one fact of that, for shoppers, admins,
 * events, notifications and metrics alike. No payment is decided by it.
 */
import { LIMITS } from "../core/limits"
import { momentIn, type Database } from "./database"
import { ASKING_PHONE } from "./flow-lists"

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

/** Found by the last digits of the number, which an index of the list has; half a year is enough. */
const HAS_PAID = `exists (
  select from mp_operation p
   where p.phone_hint = o.phone_hint and p.created_at > now() - interval '180 days'
     and p.type = 'COLLECTION' and p.party_id = o.party_id
     and p.credential_id is not distinct from o.credential_id and p.flow in (${ASKING_PHONE})
     and (p.state in ('completed', 'review') or p.recorded_at is not null))`

/**
 * Voices of the payments that match: each payer who has paid is one. The others are as many as
 * their networks, browsers or carts, whichever are fewest, so that no one of them moves an operator.
 */
const voices = (which: string) => `(
  count(distinct payer) filter (where ${which})
  + least(count(distinct network) filter (where payer is null and ${which}),
          count(distinct client) filter (where payer is null and ${which}),
          count(distinct cart) filter (where payer is null and ${which})))::int`

/**
 * A payer who declines, has no money or types a wrong PIN was served by the operator, so that is no
 * failure here. Of a payer who has paid, the last try counts. A disrupted method stands in the
 * rows also if nobody tries it.
 */
const HEALTH = `
  with tries as (
    select o.payment_method as method, o.state, o.confirmed_after_ms, o.created_at,
           o.state in ('completed', 'failed', 'expired') as has_ended,
           o.state = 'failed' and o.reason in ('operator_unavailable', 'unknown') as has_failed,
           case when ${HAS_PAID}
                then concat_ws(' ', o.credential_id, o.party_id) end as payer,
           coalesce(o.cart_id, o.order_id, o.payment_collection_id) as cart,
           coalesce(s.network, o.payment_collection_id) as network,
           coalesce(s.client, s.network, o.payment_collection_id) as client
      from mp_operation o
      left join lateral (
        select network, client from mp_start
         where payment_collection_id = o.payment_collection_id
         order by at desc limit 1) s on true
     where o.type = 'COLLECTION' and o.created_at > now() - $1 * interval '1 ms'
       and o.state in ('submitted', 'in_flight', 'completed', 'failed', 'expired')
       and o.submitted_at is not null and o.payment_method is not null
       and o.flow in (${ASKING_PHONE})
  ), judged as (
    select *, has_ended and (payer is null or row_number() over (
                partition by method, payer, has_ended order by created_at desc) = 1) as counts
      from tries
  ), counted as (
    select method, ${voices("counts")} as ended, ${voices("counts and has_failed")} as failed,
           count(*) filter (where state = 'completed')::int as completed,
           count(*) filter (where state in ('submitted', 'in_flight'))::int as under_way,
           percentile_cont(0.5) within group (order by confirmed_after_ms / 1000.0)
             filter (where state = 'completed') as middle_seconds
      from judged group by method
  )
  select method, since, middle_seconds, coalesce(ended, 0) as ended, coalesce(failed, 0) as failed,
         coalesce(completed, 0) as completed, coalesce(under_way, 0) as under_way
    from counted full join (${DISRUPTED}) disrupted using (method) order by method`

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
