/**
 * Buckets that all processes share. Each holds a limited amount and refills steadily, by the
 * database's clock. A full bucket needs no row; a row names whom it counts by a keyed hash only.
 */
import type { Database } from "../database"

export type Bucket = {
  readonly key: string
  /** Milliseconds in which the bucket refills what one request takes. */
  readonly costMs: number
  /** Milliseconds in which an empty bucket becomes full. */
  readonly fillsInMs: number
}

const ASKED = `
  asked as materialized (
    select key, cost_ms * interval '1 ms' as cost, fills_in_ms * interval '1 ms' as fills_in
      from unnest($1::text[], $2::float8[], $3::float8[]) as given (key, cost_ms, fills_in_ms)
  )`

/**
 * Takes from all the buckets or from none. If two requests race for the last of a bucket, its row
 * decides, and the loser gives back what it took from the others. Rows are locked in the order of
 * their keys, so two requests never wait for each other. `now()` is too early in a statement that
 * has waited for a lock, so the row is compared with `clock_timestamp()`.
 */
const TAKE = `
  with ${ASKED}, seen as (
    select asked.*, greatest(coalesce(b.full_at, now()), now()) + asked.cost as full_after
      from asked left join mp_bucket b using (key)
  ), taken as (
    insert into mp_bucket as b (key, full_at)
    select key, now() + cost from asked
     where (select bool_and(full_after <= clock_timestamp() + fills_in) from seen)
     order by key
    on conflict (key) do update
       set full_at = greatest(b.full_at, now()) + (excluded.full_at - now())
     where greatest(b.full_at, now()) + (excluded.full_at - now())
             <= clock_timestamp() + (select fills_in from asked where asked.key = b.key)
    returning key
  )
  select seen.key, taken.key is not null as taken,
         (extract(epoch from greatest(full_after - fills_in - now(), '0')) * 1000)::float8
           as wait_ms
    from seen left join taken using (key)`

const GIVE_BACK = `
  with ${ASKED}, held as (
    select b.key, asked.cost from mp_bucket b join asked using (key)
     where asked.key = any($4::text[]) order by b.key for update of b
  )
  update mp_bucket b set full_at = b.full_at - held.cost from held where b.key = held.key`

/**
 * @returns for each bucket that has too little, by key, milliseconds until it has enough; empty:
 *   all were taken
 */
export async function takeFromBuckets(
  database: Database,
  buckets: readonly Bucket[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await database.query(TAKE, asked(buckets))
  const short = rows.filter(({ taken }) => taken !== true)
  if (short.length === 0) return new Map()
  const taken = rows.filter((row) => row["taken"] === true).map((row) => String(row["key"]))
  if (taken.length > 0) await giveBackToBuckets(database, buckets, taken)
  const waits = short.map((row) => [String(row["key"]), Number(row["wait_ms"])] as const)
  // If no bucket had too little when it was read, another request was faster by a moment.
  const isShort = waits.filter(([, waitMs]) => waitMs > 0)
  return new Map(isShort.length > 0 ? isShort : waits.map(([key]) => [key, 1]))
}

/** @param keys of the buckets that were taken from; default: all of them */
export async function giveBackToBuckets(
  database: Database,
  buckets: readonly Bucket[],
  keys?: readonly string[],
): Promise<void> {
  const all = buckets.map(({ key }) => key)
  await database.query(GIVE_BACK, [...asked(buckets), keys ?? all])
}

function asked(buckets: readonly Bucket[]): unknown[] {
  return [
    buckets.map(({ key }) => key),
    buckets.map(({ costMs }) => costMs),
    buckets.map(({ fillsInMs }) => fillsInMs),
  ]
}
