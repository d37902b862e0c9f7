/**
 * Deletes rows that are kept for a time only: a bounded number at once, each kind by an index of
 * its own.
 */
import type { Database } from "../../ledger/database"
import { IS_UNANNOUNCED } from "../../worker/sql/announcements"

/**
 * Operations and their totals stay. Once all news of an operation was announced, its last event
 * becomes a snapshot and the others go, so the state is still the fold of the events. The snapshot
 * keeps what admins decided about the money.
 */
const EVENTS = `
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

const GUEST_PARTIES = `
  delete from mp_party where id in (
    select id from mp_party
     where customer_id is null and updated_at < now() - $1 * interval '1 ms'
     order by updated_at limit $2 for update skip locked)
  returning id`

const PAYERS = `
  delete from mp_payer where (account_id, number_digest, credential_id, party_id) in (
    select account_id, number_digest, credential_id, party_id from mp_payer
     where updated_at < now() - $1 * interval '1 ms'
     order by updated_at limit $2 for update skip locked)
  returning party_id`

const RECONCILIATIONS = `
  delete from mp_reconciliation where id in (
    select id from mp_reconciliation where created_at < now() - $1 * interval '1 ms' limit $2)
  returning id`

/** A bucket that is full again counts no start, so its row can go. */
const BUCKETS = `
  delete from mp_bucket where key in (
    select key from mp_bucket where full_at < now() - $1 * interval '1 ms' limit $2
       for update skip locked)
  returning key`

const STARTS = `
  delete from mp_start where (payment_collection_id, network, number_digest) in (
    select payment_collection_id, network, number_digest from mp_start
     where at < now() - $1 * interval '1 ms' limit $2 for update skip locked)
  returning number_digest`

/**
 * The tokens of clients that no process uses any more: a used client's token is replaced long
 * before.
 */
const TOKENS = `
  delete from mp_gateway_token where client_digest in (
    select client_digest from mp_gateway_token
     where got_at < now() - $1 * interval '1 ms' and coalesce(claimed_until < now(), true)
     limit $2 for update skip locked)
  returning client_digest`

/** What only carrying out a request needs. A request that has aged is never carried out. */
const SECRETS_OF_REQUESTS = `
  update mp_approval set sealed = null where id in (
    select id from mp_approval
     where sealed is not null and asked_at < now() - $1 * interval '1 ms'
     limit $2 for update skip locked)
  returning id`

const FORMS = `
  delete from mp_gateway_form where (account_id, operation, field, kind) in (
    select account_id, operation, field, kind from mp_gateway_form
     where last_at < now() - $1 * interval '1 ms'
     order by last_at limit $2 for update skip locked)
  returning field`

/** The mark of an erased customer stays: without it the order could get a new link. */
const RECEIPT_LINKS = `
  delete from mp_receipt_link where order_id in (
    select l.order_id from mp_receipt_link l
     where not l.is_erased and l.created_at < now() - $1 * interval '1 ms'
       and not exists (select from mp_operation o
                        where o.order_id = l.order_id
                          and o.updated_at > now() - $1 * interval '1 ms')
     order by l.created_at limit $2 for update skip locked)
  returning order_id`
/** What was told, or was not to be. What waits is never deleted. */
const NOTIFICATIONS = `
  delete from mp_notification where key in (
    select key from mp_notification
     where ended_at < now() - $1 * interval '1 ms'
     order by ended_at limit $2 for update skip locked)
  returning key`

/** The history of the notifications' settings, without the newest change. */
const NOTIFICATION_CHANGES = `
  delete from mp_notification_change where version in (
    select version from mp_notification_change
     where created_at < now() - $1 * interval '1 ms'
       and version < (select max(version) from mp_notification_change)
     order by version limit $2)
  returning version`

/** Changes of payment methods that the store's bus has heard of. */
const METHOD_EVENTS = `
  delete from mp_method_event where (payment_method, since, name) in (
    select payment_method, since, name from mp_method_event
     where announced_at < now() - $1 * interval '1 ms' limit $2 for update skip locked)
  returning name`

const PRUNE = {
  events: EVENTS,
  guestParties: GUEST_PARTIES,
  payers: PAYERS,
  reconciliations: RECONCILIATIONS,
  buckets: BUCKETS,
  starts: STARTS,
  tokens: TOKENS,
  secretsOfRequests: SECRETS_OF_REQUESTS,
  forms: FORMS,
  receiptLinks: RECEIPT_LINKS,
  notifications: NOTIFICATIONS,
  notificationChanges: NOTIFICATION_CHANGES,
  methodEvents: METHOD_EVENTS,
}

export type Pruned = keyof typeof PRUNE

/**
 * @returns how many rows were deleted; for `events`, how many operations were left with one event
 */
export async function prune(
  database: Database,
  what: Pruned,
  { keptForMs, limit }: { readonly keptForMs: number; readonly limit: number },
): Promise<number> {
  return (await database.query(PRUNE[what], [keptForMs, limit])).length
}
