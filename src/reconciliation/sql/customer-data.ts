/**
 * Reads and erases what the ledger keeps of one customer. An operation is the customer's by the
 * cart or order that it pays, a refund by its payment. Erasing leaves what bookkeeping and a later
 * refund need: amounts, states, times, and the ids of order, source and movement.
 */
import type { AdminId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import { rowsOf, type Database, type Row } from "../../ledger/database"
import type { CustomersOwn } from "../../engine/medusa-port"
import type { PartyRow } from "../schemas/customer-data"

const PARTY = `account_id, party_id::float8 as party_id, counterparty_id::float8 as counterparty_id`
const PARTIES = `mp_party where customer_id = $1 or cart_id = any($2::text[])`

const EVERY = `
  own as materialized (
    select id from mp_operation where cart_id = any($1::text[]) or order_id = any($2::text[])
  ), every as materialized (
    select id from own
    union select r.id from mp_operation r join own on r.parent_id = own.id
  )`

/**
 * Whether no money of the operation `o` moves or waits: what came in is recorded in Medusa, or went
 * back.
 */
const IS_OVER = `
  o.next_check_at is null and o.state in ('completed', 'failed', 'expired')
  and (o.type <> 'COLLECTION' or o.state <> 'completed'
       or o.recorded_at is not null or o.returned_at is not null)`

const LIVE = `
  with ${EVERY}
  select o.id from mp_operation o join every using (id) where not (${IS_OVER}) order by o.id`

/** Operations that prevent erasing: their money may move, or an admin has to decide. */
export async function findLiveOf(database: Database, own: CustomersOwn): Promise<string[]> {
  const rows = await database.query(LIVE, [own.cartIds, own.orderIds])
  return rows.map(({ id }) => String(id))
}

/**
 * Operations as they are stored, without the worker's lease, the card secret and the tokens that
 * open the return page and the receipt.
 */
const READ = `
  with ${EVERY}
  select to_jsonb(o) - '{lease_token,lease_until,return_token,card_secret}'::text[]
         || jsonb_build_object(
              'sessions', array(select to_jsonb(s) - 'operation_id' from mp_operation_session s
                                 where s.operation_id = o.id order by s.created_at),
              'events', array(select to_jsonb(e) - 'operation_id' from mp_operation_event e
                               where e.operation_id = o.id order by e.seq),
              'receipt', (select to_jsonb(r) - 'operation_id' from mp_receipt r
                           where r.operation_id = o.id),
              'receipt_link', (select to_jsonb(l) - '{order_id,token}'::text[]
                                 from mp_receipt_link l where l.order_id = o.order_id),
              'notifications', array(select to_jsonb(n) - '{operation_id,recipient_id}'::text[]
                                       from mp_notification n where n.operation_id = o.id
                                      order by n.created_at, n.key),
              'refund_approvals', array(select to_jsonb(a) from mp_approval a
                                         where starts_with(a.subject, 'refund ' || o.id || ' ')
                                            or starts_with(a.subject, 'request refund ' || o.id || ' ')
                                         order by a.asked_at)) as data
    from mp_operation o join every using (id)
   where $3::text is null or o.id > $3
   order by o.id limit ${LIMITS.upkeepRowsMax}`

/** @param after the id of the last operation that was read before */
export async function readOperationsOf(
  database: Database,
  own: CustomersOwn,
  after: string | undefined,
): Promise<readonly Row[]> {
  const rows = await database.query(READ, [own.cartIds, own.orderIds, after ?? null])
  return rows.map(({ data }) => data as Row)
}

export function readPartiesOf(database: Database, own: CustomersOwn): Promise<PartyRow[]> {
  const sql = `select ${PARTY} from ${PARTIES} order by id`
  return rowsOf<PartyRow>(database, sql, [own.customerId, own.cartIds])
}

/** Deletes the customer's parties, and what is kept of these parties under their phone number. */
export function forgetPartiesOf(database: Database, own: CustomersOwn): Promise<PartyRow[]> {
  const sql = `
    with gone as (delete from ${PARTIES} returning *), payers as (
      delete from mp_payer p using gone
       where p.account_id = gone.account_id and p.party_id = gone.party_id
    )
    select ${PARTY} from gone`
  return rowsOf<PartyRow>(database, sql, [own.customerId, own.cartIds])
}

const MASK = `'{"name": "•••"}'::jsonb`
const masked = (lines: string) => `
  (select coalesce(jsonb_agg(line || ${MASK} order by place), '[]')
     from jsonb_array_elements(${lines}) with ordinality as listed (line, place))`

/**
 * An event's facts without the gateway's texts and the admins' notes. The snapshot of an old
 * operation has notes as well.
 */
const FACTS = `
  (case when e.facts ? 'decisions'
        then jsonb_set(e.facts, '{decisions}',
               (select coalesce(jsonb_agg(one #- '{facts,note}' order by place), '[]')
                  from jsonb_array_elements(e.facts -> 'decisions') with ordinality
                       as listed (one, place)))
        else e.facts end) - '{detail,note,other_fields}'::text[]`

/** An operation that was erased and has not changed since is left as it is. */
const FORGET = `
  with ${EVERY}, over as materialized (
    select o.id from mp_operation o join every using (id)
     where ${IS_OVER}
       and not exists (select from mp_operation_event e
                        where e.operation_id = o.id and e.seq = o.version
                          and e.name = 'personal_data_erased')
     order by o.id limit ${LIMITS.upkeepRowsMax} for update of o
  ), forgotten as (
    update mp_operation o
       set version = o.version + 1, lines = ${masked("o.lines")}, phone_hint = null,
           prompted_payer = prompted_payer - 'phone_hint', customer_name = null, customer_email = null, search_words = '{}',
           party_id = null, payment_account_id = null, messages = null, hosted_url = null,
           return_token = null, success_url = null, cancel_url = null,
           receipt_due_at = null
      from over where o.id = over.id
    returning o.id, o.version, o.state
  ), payers as (
    delete from mp_payer p using mp_operation o
     where o.id in (select id from over)
       and p.account_id = o.account_id and p.party_id = o.party_id
  ), events as (
    update mp_operation_event e
       set code = case e.code when 'note' then 'note_erased' else e.code end, facts = ${FACTS}
      from over where e.operation_id = over.id
  ), receipts as (
    update mp_receipt r
       set body = r.body || '{"link": null}'::jsonb
                  || case when jsonb_typeof(r.body -> 'lines') = 'array'
                          then jsonb_build_object('lines', ${masked("r.body -> 'lines'")})
                          else '{}'::jsonb end
      from over where r.operation_id = over.id
  ), links as (
    insert into mp_receipt_link (order_id, ended_at, is_erased)
    select distinct o.order_id, now(), true from mp_operation o join over using (id)
     where o.order_id is not null
    on conflict (order_id) do update
       set ended_at = coalesce(mp_receipt_link.ended_at, now()), is_erased = true
  ), noted as (
    insert into mp_operation_event (operation_id, seq, name, state, code, facts)
    select id, version, 'personal_data_erased', state, 'data_erased',
           jsonb_build_object('by', $3::text)
      from forgotten
  )
  select id from forgotten`

/** @returns how many operations were erased; live ones may be left */
export async function forgetOperationsOf(
  database: Database,
  own: CustomersOwn,
  adminId: AdminId,
): Promise<number> {
  let forgotten = 0
  for (let isMore = true; isMore;) {
    const rows = await database.query(FORGET, [own.cartIds, own.orderIds, adminId])
    forgotten += rows.length
    isMore = rows.length === LIMITS.upkeepRowsMax
  }
  return forgotten
}
