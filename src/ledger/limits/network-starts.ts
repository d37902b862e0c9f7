/**
 * What became of the payments started from one network, or from one browser in it, all under keyed
 * digests. It is read from the ledger's payments, so an approved payment frees its place by itself,
 * and only once.
 */
import type { PaymentCollectionId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import type { Database } from "../database"
import { ASKING_CARD } from "../flow-lists"

/** Stands in place of a number for a start by card: it rings no phone, and only cards judge it. */
export const BY_CARD = "card"

export type NetworkStart = {
  readonly paymentCollectionId: PaymentCollectionId
  readonly network: string
  readonly client: string | null
  /** Digest of the registered customer, or null. */
  readonly customer: string | null
  /** Digest of the number whose phone rings, or {@link BY_CARD}; null: no phone rings. */
  readonly phone: string | null
}

const NOTE = `
  insert into mp_start (payment_collection_id, network, client, number_digest, customer)
  values ($1, $2, $3, coalesce($4, ''), $5)
  on conflict (payment_collection_id, network, number_digest) do update
     set at = now(), client = excluded.client, customer = excluded.customer`

/** A start that waits for its turn, or whose draft never rang a phone, counts against no one. */
const judgeBy = (column: "network" | "client") => `
  with recent as (
    select payment_collection_id, number_digest, at from mp_start
     where ${column} = $1 and at > now() - $2::float8 * interval '1 ms'
       and number_digest <> '${BY_CARD}'
     order by at desc limit $3
  ), told as (
    select r.payment_collection_id as id, r.number_digest,
           coalesce(bool_or(o.state in ('completed', 'review') or o.recorded_at is not null), false)
             as approved,
           coalesce(bool_or(o.state in ('submitted', 'in_flight')
             and o.flow not in (${ASKING_CARD})), false) as rings,
           coalesce(bool_or(o.submitted_at is not null and o.flow not in (${ASKING_CARD})
             and o.reason is distinct from 'operator_unavailable'), false) as rang,
           r.at < now() - $4::float8 * interval '1 ms' as is_late
      from recent r
      left join mp_operation o
        on o.payment_collection_id = r.payment_collection_id and o.type = 'COLLECTION'
     group by r.payment_collection_id, r.number_digest, r.at
  )
  select count(distinct number_digest) filter (
           where number_digest <> '' and not approved and rang and (is_late or not rings)
         )::int as failed,
         count(distinct id) filter (where approved)::int as approved,
         count(*) filter (where not approved)::int as open
    from told`

const JUDGE = { network: judgeBy("network"), client: judgeBy("client") }

export async function noteStart(database: Database, start: NetworkStart): Promise<void> {
  const { paymentCollectionId, network, client, phone, customer } = start
  await database.query(NOTE, [paymentCollectionId, network, client, phone, customer])
}

/** @returns whether no further phone may ring for this network or browser now */
export async function isHeld(
  database: Database,
  column: keyof typeof JUDGE,
  digest: string,
): Promise<boolean> {
  const [row] = await database.query(JUDGE[column], [
    digest,
    LIMITS.startsJudgedForMs,
    LIMITS.startsJudgedMax,
    LIMITS.unapprovedAfterMs,
  ])
  const [failed, approved, open] = ["failed", "approved", "open"].map((name) => Number(row?.[name]))
  if (failed === undefined || approved === undefined || open === undefined) return false
  const isAbuse = failed >= LIMITS.unapprovedNumbersMax && failed > approved
  return isAbuse || (column === "network" && open >= LIMITS.unapprovedStartsMax)
}

const LARGEST = `
  select count(*)::int as starts, (sum(count(*)) over ())::int as all_starts
    from mp_start where at > now() - $1::float8 * interval '1 ms'
   group by network order by count(*) desc limit 1`

/** The number of the last starts, and how many of them came from the network with the most. */
export async function largestNetwork(
  database: Database,
): Promise<{ readonly starts: number; readonly ofOne: number }> {
  const [row] = await database.query(LARGEST, [LIMITS.healthCallsWithinMs])
  return { starts: Number(row?.["all_starts"] ?? 0), ofOne: Number(row?.["starts"] ?? 0) }
}
