/**
 * A worker of the version before, as far as the database sees it: its own statements, word for word, over
 * whatever tables are there. While a new version is rolled out, both write to the same rows.
 *
 * Kept by hand, once for each release: when the next one is made, its statements come in the place of
 * these, and `PREVIOUS_MIGRATION` is its last.
 */
import { randomUUID } from "node:crypto"
import type { Row } from "../../src/ledger/database"

/** The last migration that the version before knows. */
export const PREVIOUS_MIGRATION = "Migration20261120160000"

type Sql = (text: string, parameters?: readonly unknown[]) => Promise<Row[]>

const ACCOUNT = `
  insert into mp_account (id, label, base_url, source_kind, fee_bearer, order_placement, currencies,
    wire_names, push_window_minutes, hosted_window_minutes, is_default)
  values ('mpacc_env', 'Environment', 'https://gateway.example', 'ORDER', null, 'pay_first',
    '{USD,LRD,RWF}', '{}', 30, 60, true)
  on conflict (id) do update set updated_at = now(), deleted_at = null`

const INSERT = `
  with drafted as (
    insert into mp_operation (
      id, type, state, flow, account_id, provider_id, payment_collection_id, payment_session_id,
      cart_id, order_id, currency_code, amount_minor, lines, source_type, return_token, success_url,
      cancel_url, phone_hint, expires_at, window_ends_at, waiting, waiting_at,
      lease_token, lease_until, next_check_at, fee_bearer)
    values ($1, 'COLLECTION', 'drafted', $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
      $16, now() + $17 * interval '1 ms', $18, $20 > 0, case when $20 > 0 then now() end,
      $19, case when $20 > 0 then now() + $20 * interval '1 ms' end,
      now() + $17 * interval '1 ms', $21)
    on conflict do nothing
    returning *
  ), noted as (
    insert into mp_operation_event (operation_id, seq, name, state, why, facts)
    select id, version, 'draft', state, 'a shopper commits to pay',
           jsonb_build_object('amount_minor', amount_minor::text, 'currency', currency_code)
      from drafted
  ), bound as (
    insert into mp_operation_session (payment_session_id, operation_id, payment_collection_id)
    select payment_session_id, id, payment_collection_id from drafted
    on conflict (payment_session_id) do update set operation_id = excluded.operation_id
  )
  select *, now() as read_at from drafted`

const RATE = `least(a.checks_per_second, a.checks_per_second_max)`
const CAPACITY = `greatest(1, ${RATE})`
const SINCE = `greatest(0, extract(epoch from now() - a.checks_counted_at))::float8`
const LEFT = `least(${CAPACITY}, a.checks_left + ${SINCE} * ${RATE})`
const IS_OPEN = `(a.checks_paused_until is null or a.checks_paused_until <= now())`
const IS_DUE = `o.next_check_at is not null and o.next_check_at <= now()
         and (o.lease_until is null or o.lease_until < now())`
const BOTH = `(values (true), (false)) half (waiting)`

const CLAIM = `
  with fund as (
    select a.id, floor(${LEFT})::int as most from mp_account a where ${IS_OPEN}
  ), to_ask as materialized (
    select o.id, o.account_id, o.waiting, o.next_check_at
      from fund cross join ${BOTH} cross join lateral (
        select o.id, o.account_id, o.waiting, o.next_check_at from mp_operation o
         where o.account_id = fund.id and o.waiting = half.waiting
           and o.state not in ('completed', 'review') and ${IS_DUE}
         order by o.next_check_at
         limit case when fund.most > 0 then least($3::int, fund.most + 1) else 0 end
           for update skip locked
      ) o
  ), to_tell as materialized (
    select o.id, o.account_id, o.waiting, o.next_check_at
      from ${BOTH} cross join lateral (
        select o.id, o.account_id, o.waiting, o.next_check_at from mp_operation o
         where o.waiting = half.waiting and o.state in ('completed', 'review') and ${IS_DUE}
         order by o.next_check_at
         limit $3::int
           for update skip locked
      ) o
  ), chosen as materialized (
    select *, row_number() over (partition by costs, account_id
                                 order by waiting desc, next_check_at) as turn
      from (select *, true as costs from to_ask
            union all select *, false from to_tell
            order by waiting desc, next_check_at limit $3::int) o
  ), budget as materialized (
    select a.id, ${RATE} as rate, ${CAPACITY} as capacity, ${LEFT} as have, wanted.n as wanted,
           least(wanted.n, floor(${LEFT})) as granted,
           least(1, ${SINCE}) as since, a.checks_per_second_max as most
      from mp_account a
      join (select account_id, count(*) as n from chosen where costs group by account_id) wanted
        on wanted.account_id = a.id
     where ${IS_OPEN}
     order by a.id
       for no key update of a
  ), spent as (
    update mp_account a
       set checks_left = b.have - b.granted,
           checks_counted_at = greatest(a.checks_counted_at, now()),
           checks_per_second = case when b.wanted > b.granted
             then least(b.most, b.rate + b.since * 1000 / $6::float8) else b.rate end
      from budget b
     where a.id = b.id and b.granted > 0
  ), due as (
    select c.id, b.rate from chosen c left join budget b on c.costs and b.id = c.account_id
     where not c.costs or c.turn <= b.granted
  ), taken as (
    update mp_operation o
       set lease_token = $1, lease_until = now() + $2 * interval '1 ms'
      from due
     where o.id = due.id
    returning o.*, due.rate as account_rate
  ), seen as (
    insert into mp_worker (id, seen_at)
    select $4::text, now() where $4::text is not null and not exists (
      select from mp_worker where id = $4::text and seen_at > now() - $5 * interval '1 ms')
    on conflict (id) do update set seen_at = excluded.seen_at
  ), forgotten as (
    delete from mp_worker where id <> $4::text and seen_at < now() - $7 * interval '1 ms'
  )
  select *, now() as read_at from taken order by waiting desc, next_check_at`

const POSTPONE = `
  update mp_operation
     set next_check_at = case
           when date_trunc('milliseconds', next_check_at) is distinct from $4 then next_check_at
           else now() + $3::double precision * interval '1 ms' end,
         checks = checks + case when $7 then 1 else 0 end,
         checked_at = case when $6 then now() else checked_at end,
         waiting = waiting and waiting_at > now() - $5 * interval '1 ms',
         lease_token = null,
         lease_until = null
   where id = $1 and lease_token = $2::uuid
  returning id`

const REBIND = `
  with moved as (
    update mp_operation
       set payment_session_id = $3, version = version + 1, updated_at = now()
     where id = $1 and version = $2
    returning *
  ), noted as (
    insert into mp_operation_event (operation_id, seq, name, state, why, facts)
    select id, version, 'rebound', state, 'Medusa replaced the payment session',
           jsonb_build_object('payment_session_id', payment_session_id)
      from moved
  ), bound as (
    insert into mp_operation_session (payment_session_id, operation_id, payment_collection_id)
    select payment_session_id, id, payment_collection_id from moved
    on conflict (payment_session_id) do update set operation_id = excluded.operation_id
  )
  select *, now() as read_at from moved`

export type PreviousDraft = {
  readonly id: string
  readonly flow: "push" | "hosted"
  readonly providerId: string
  readonly collectionId: string
  readonly sessionId: string
}

/** As that version wrote a change: `state` after the event, and assignments as it bound them. */
export type PreviousWrite = {
  readonly event: string
  readonly state: string
  /** Column to value; a text in `now(…)` stands as it is. */
  readonly sets: Readonly<Record<string, unknown>>
}

export type PreviousVersion = {
  saveAccount(): Promise<void>
  draft(draft: PreviousDraft, leaseMs?: number): Promise<Row | undefined>
  write(row: Row, write: PreviousWrite): Promise<Row | undefined>
  claim(limit: number, worker?: string): Promise<Row[]>
  /** @returns whether the row was still its own */
  postpone(row: Row, inMs: number): Promise<boolean>
  rebind(row: Row, sessionId: string): Promise<Row | undefined>
}

const LEASE_MS = 120_000
const WINDOW_MS = 1_800_000

export function previousVersion(sql: Sql): PreviousVersion {
  return {
    saveAccount: async () => void (await sql(ACCOUNT)),
    async draft({ id, flow, providerId, collectionId, sessionId }, leaseMs = 0) {
      const lines = JSON.stringify([{ name: "T-shirt", quantity: 1, minor: "1999" }])
      const [row] = await sql(INSERT, [
        ...[id, flow, "mpacc_env", providerId, collectionId, sessionId, `cart_${collectionId}`],
        ...[null, "USD", "1999", lines, "ORDER"],
        ...[flow === "hosted" ? `token_${id}` : null, null, null, "042"],
        ...[WINDOW_MS, null, randomUUID(), leaseMs, null],
      ])
      return row
    },
    async write(row, { event, state, sets }) {
      const parameters: unknown[] = [
        ...[row["id"], row["version"], row["lease_token"], state, event, "as it was", "{}"],
      ]
      const assigned = Object.entries(sets).map(([column, value]) =>
        typeof value === "string" && /^now\(\)/.test(value)
          ? `, ${column} = ${value}`
          : `, ${column} = $${parameters.push(value)}`,
      )
      const [written] = await sql(
        `with moved as (
           update mp_operation
              set version = version + 1, updated_at = now(), state = $4${assigned.join("")}
            where id = $1 and version = $2 and lease_token is not distinct from $3::uuid
              and set_config('synchronous_commit', 'on', true) = 'on'
           returning *
         ), noted as (
           insert into mp_operation_event (operation_id, seq, name, state, why, facts)
           select id, version, $5, state, $6, $7::jsonb from moved
         )
         select *, now() as read_at from moved`,
        parameters,
      )
      return written
    },
    claim: (limit, worker = "previous") =>
      sql(CLAIM, [randomUUID(), LEASE_MS, limit, worker, 10_000, 10_000, 86_400_000]),
    async postpone(row, inMs) {
      const parameters = [row["id"], row["lease_token"], inMs, row["next_check_at"]]
      const rows = await sql(POSTPONE, [...parameters, 300_000, true, true])
      return rows.length === 1
    },
    async rebind(row, sessionId) {
      const [rebound] = await sql(REBIND, [row["id"], row["version"], sessionId])
      return rebound
    },
  }
}
