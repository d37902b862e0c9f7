/**
 * Which worker gets which work. A question to the gateway is paid for from its account's budget
 * (`check-budget.ts`) in the same statement. Money that is only to be recorded in Medusa costs
 * nothing, so a gateway that asks for a pause holds up no paid order.
 */
import { randomUUID } from "node:crypto"
import { LIMITS } from "../core/limits"
import type { Operation } from "../core/operation"
import { IS_OPEN, LEFT, RATE, SINCE_SECONDS } from "./check-budget"
import type { Database } from "./database"
import {
  OPERATION_COLUMNS,
  operationsFrom,
  queryOperation,
  type UnreadableRow,
} from "./operation-row"

const IS_DUE = `o.next_check_at is not null and o.next_check_at <= now()
         and (o.lease_until is null or o.lease_until < now())`

/**
 * Rows with and without a waiting shopper are read separately, so each read starts at its oldest
 * row. In one read over both, a server without skip scans walks at each tick through every row that
 * is not due.
 */
const BOTH = `(values (true), (false)) half (waiting)`

const placesOf = (limit: number) => Math.min(Math.max(0, Math.trunc(limit)), LIMITS.checksPerRun)

/**
 * Takes at most `limit` due operations for `$2` milliseconds. Two callers never get the same row.
 * A holder that dies loses the row when the lease ends; every later write repeats the lease token.
 *
 * Waiting shoppers come first. But a part of the places, and of each account's budget, goes to the
 * operations that have been due longest, or a busy shop would never check them. A budget too small
 * for that part saves it up (`checks_reserved`).
 *
 * `fund` is read without a lock and only says how many rows to lock, and one more to see that
 * more was wanted. `budget` locks the account's row; rows that it does not grant stay due.
 * Operations are locked before accounts and never waited for, so two callers can't wait for each
 * other. With nothing due only the worker's sign of life is written, every `$4` milliseconds.
 *
 * The number of places is written into the SQL text. For a parameter the planner assumes a tenth of
 * the table, reads it all, and may compile each claim for longer than it runs. The steps are
 * materialized, because the planner may run a plain `in (select … limit)` once for each row, each
 * time with other rows.
 */
export function claimStatement(limit: number): string {
  const places = placesOf(limit)
  const byAge = Math.floor(places * LIMITS.byAgeFraction)
  return `
  with fund as (
    select a.id, floor(${LEFT})::int as most
      from mp_account a where ${IS_OPEN} and ${LEFT} >= 1 and a.id <> all($7::text[])
  ), at_gateway as materialized (
    select o.id, o.account_id, o.waiting, o.next_check_at
      from fund cross join ${BOTH} cross join lateral (
        select * from (
          select o.id, o.account_id, o.waiting, o.next_check_at from mp_operation o
           where o.account_id = fund.id and o.waiting = half.waiting
             and o.state not in ('completed', 'review') and ${IS_DUE}
           order by o.next_check_at
           limit least(${places}, fund.most + 1)
             for update skip locked
        ) o limit ${places}
      ) o
  ), in_medusa as materialized (
    select o.id, o.account_id, o.waiting, o.next_check_at
      from ${BOTH} cross join lateral (
        select o.id, o.account_id, o.waiting, o.next_check_at from mp_operation o
         where $8::boolean
           and o.waiting = half.waiting and o.state in ('completed', 'review') and ${IS_DUE}
         order by o.next_check_at
         limit ${places}
           for update skip locked
      ) o
  ), placed as (
    select *, row_number() over (order by waiting desc, next_check_at) as place
      from (select *, true as costs from at_gateway union all select *, false from in_medusa) o
  ), aged as (
    select *, row_number() over (partition by place <= ${places - byAge}
                                 order by next_check_at) as age
      from placed
  ), chosen as materialized (
    select *, row_number() over (partition by costs, account_id
                                 order by waiting desc, next_check_at) as turn
      from aged where place <= ${places - byAge} or age <= ${byAge}
  ), budget as materialized (
    select a.id, ${RATE} as rate, ${LEFT} as have, wanted.n as wanted,
           least(wanted.n, floor(${LEFT})) as granted,
           a.checks_reserved + least(wanted.n, floor(${LEFT})) * ${LIMITS.byAgeFraction} as reserve,
           least(1, ${SINCE_SECONDS}) as since, a.checks_per_second_max as most
      from mp_account a
      join (select account_id, count(*) as n from chosen where costs group by account_id) wanted
        on wanted.account_id = a.id
     where ${IS_OPEN}
     order by a.id
       for no key update of a
  ), spent as (
    update mp_account a
       set checks_left = b.have - b.granted,
           checks_reserved = b.reserve - floor(b.reserve),
           checks_counted_at = greatest(a.checks_counted_at, now()),
           checks_per_second = case when b.wanted > b.granted
             then least(b.most, b.rate + b.since * 1000 / $5::float8) else b.rate end
      from budget b
     where a.id = b.id and b.granted > 0
  ), granted as (
    select c.id, c.costs, b.rate, floor(b.reserve) as reserved,
           c.turn <= b.granted - floor(b.reserve) as is_first,
           row_number() over (partition by c.costs, c.account_id,
                                           c.turn <= b.granted - floor(b.reserve)
                              order by c.next_check_at) as age
      from chosen c left join budget b on c.costs and b.id = c.account_id
  ), due as (
    select id, rate from granted where not costs or is_first or age <= reserved limit ${places}
  ), taken as (
    update mp_operation o
       set lease_token = $1, lease_until = now() + $2 * interval '1 ms'
      from due
     where o.id = due.id
    returning o.*, due.rate as account_rate
  ), seen as (
    insert into mp_worker (id, seen_at, unanswered)
    select $3::text, now(), $9::text[] where $3::text is not null and not exists (
      select from mp_worker where id = $3::text and seen_at > now() - $4 * interval '1 ms')
    on conflict (id) do update
      set seen_at = excluded.seen_at, unanswered = excluded.unanswered
  ), forgotten as (
    delete from mp_worker where id <> $3::text and seen_at < now() - $6 * interval '1 ms'
  )
  select ${OPERATION_COLUMNS} from taken order by waiting desc, next_check_at`
}

export async function claimDueOperations(
  database: Database,
  claim: {
    readonly leaseMs: number
    /** At most {@link LIMITS.checksPerRun}; more is cut. */
    readonly limit: number
    /** The worker's name for its sign of life; without a name none is written. */
    readonly worker?: string
    /** Ids of operations for which the worker waits for Medusa, written with its sign of life. */
    readonly unanswered?: readonly string[]
    /** Accounts that are left out: the worker has enough questions for them already. */
    readonly busyAccounts?: readonly string[]
    /** False: no money to record is claimed, as the worker has enough of it. Default: true. */
    readonly isInMedusa?: boolean
    /** Called with each account's questions a second, of all workers together. */
    readonly onRate?: (accountId: string, perSecond: number) => void
    /** Called with each unreadable row; it keeps its lease and holds up none of the others. */
    readonly onUnreadable?: (error: UnreadableRow) => void
  },
): Promise<Operation[]> {
  const rows = await database.query(
    claimStatement(claim.limit),
    [
      randomUUID(),
      claim.leaseMs,
      claim.worker ?? null,
      LIMITS.heartbeatEveryMs,
      LIMITS.checksRaiseEveryMs,
      LIMITS.workerForgottenMs,
      claim.busyAccounts ?? [],
      claim.isInMedusa ?? true,
      claim.unanswered ?? [],
    ],
    `mp_claim_${placesOf(claim.limit)}`,
  )
  for (const { account_id, account_rate } of rows) {
    if (typeof account_rate === "number") claim.onRate?.(String(account_id), account_rate)
  }
  return operationsFrom(rows, claim.onUnreadable)
}

/** Takes one operation by its id, or nothing while another worker holds it. */
const CLAIM_ONE = `
  update mp_operation
     set lease_token = $1, lease_until = now() + $2 * interval '1 ms'
   where id = $3 and (lease_until is null or lease_until < now())
  returning ${OPERATION_COLUMNS}`

export function claimOperation(
  database: Database,
  id: string,
  leaseMs: number,
): Promise<Operation | undefined> {
  return queryOperation(database, CLAIM_ONE, [randomUUID(), leaseMs, id])
}
