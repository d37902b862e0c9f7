/**
 * What is kept for a time only. Operations and their totals stay; the many events of a payment that
 * ended long ago become one, so that its state is still the fold of its events. Each statement
 * takes a bounded number of rows, by an index of its own.
 */
import type { Database } from "../../ledger/database"
import { IS_UNANNOUNCED } from "../../worker/sql/announcements"

/**
 * The last event becomes the snapshot, once all that is news of it was told: its number is the
 * operation's version, and the state before the first one is what it says. What people decided
 * about the money is kept inside it.
 */
const PRUNE_EVENTS = `
  with old as materialized (
    select id, version from mp_operation
     where events_pruned_at is null and next_check_at is null
       and state in ('completed', 'failed', 'expired')
       and updated_at < now() - $1 * interval '1 ms'
       and not exists (select from mp_operation_event e
                        where e.operation_id = mp_operation.id and ${IS_UNANNOUNCED})
     order by updated_at limit $2
       for update skip locked
  ), kept as materialized (
    select e.operation_id, count(*) as events, min(e.created_at) as first_at,
           coalesce(jsonb_agg(jsonb_build_object('name', e.name, 'code', e.code, 'facts', e.facts,
                                                 'at', e.created_at) order by e.seq)
             filter (where e.name in ('accept', 'give_back', 'dismiss')), '[]') as decisions
      from old join mp_operation_event e on e.operation_id = old.id
     group by e.operation_id
  ), gone as (
    delete from mp_operation_event e using old
     where e.operation_id = old.id and e.seq < old.version
  ), snapshot as (
    update mp_operation_event e
       set name = 'snapshot', state = o.state, code = 'pruned',
           facts = jsonb_build_object(
             'events', kept.events, 'first_at', kept.first_at, 'last', e.name,
             'last_code', e.code, 'decisions', kept.decisions,
             'amount_minor', o.amount_minor::text, 'currency', o.currency_code,
             'collected_minor', o.collected_minor::text,
             'reserved_refund_minor', o.reserved_refund_minor::text,
             'recorded_at', o.recorded_at, 'returned_at', o.returned_at)
      from old join mp_operation o on o.id = old.id join kept on kept.operation_id = old.id
     where e.operation_id = old.id and e.seq = old.version
  )
  update mp_operation o set events_pruned_at = now() from old where o.id = old.id returning o.id`

/** @returns how many operations were left with one event */
export async function pruneEvents(
  database: Database,
  prune: { readonly keptForMs: number; readonly limit: number },
): Promise<number> {
  return (await database.query(PRUNE_EVENTS, [prune.keptForMs, prune.limit])).length
}

const PRUNE_GUESTS = `
  delete from mp_party where id in (
    select id from mp_party
     where customer_id is null and updated_at < now() - $1 * interval '1 ms'
     order by updated_at limit $2 for update skip locked)
  returning id`

/** @returns how many guests' parties were forgotten; one that comes back is made anew */
export async function pruneGuestParties(
  database: Database,
  prune: { readonly keptForMs: number; readonly limit: number },
): Promise<number> {
  return (await database.query(PRUNE_GUESTS, [prune.keptForMs, prune.limit])).length
}

const PRUNE_RECONCILIATIONS = `
  delete from mp_reconciliation where id in (
    select id from mp_reconciliation where created_at < now() - $1 * interval '1 ms' limit $2)
  returning id`

/** @returns how many results were forgotten */
export async function pruneReconciliations(
  database: Database,
  prune: { readonly keptForMs: number; readonly limit: number },
): Promise<number> {
  return (await database.query(PRUNE_RECONCILIATIONS, [prune.keptForMs, prune.limit])).length
}

const PRUNE_BUCKETS = `
  delete from mp_bucket where key in (
    select key from mp_bucket where full_at < now() - $1 * interval '1 ms' limit $2
       for update skip locked)
  returning key`

/** @returns how many buckets were forgotten; a full one is as good as none */
export async function pruneBuckets(
  database: Database,
  prune: { readonly keptForMs: number; readonly limit: number },
): Promise<number> {
  return (await database.query(PRUNE_BUCKETS, [prune.keptForMs, prune.limit])).length
}
