/**
 * Which shopper may start a payment next while the gateway complains. Each account has a queue, in
 * the order in which the requests reach the database. A turn is a moment taken from the queue's
 * bucket and kept under the shopper's key until the shopper comes back for it. As long as the
 * gateway has not complained, no shopper waits.
 */
import type { AccountId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import type { Database } from "../database"

export type TurnAsk = {
  readonly accountId: AccountId
  /** The shopper's key: a keyed digest. */
  readonly key: string
  /** The largest number of questions that this start asks the gateway. */
  readonly questions: number
}

/**
 * A turn lasts as long as its questions need at the starts' part of the account's bound. If the
 * gateway recovers sooner than it said, the queue goes on until it is empty, so that no shopper
 * overtakes another. `$8`: the gateway refused just now, so there is a complaint whatever the
 * account's row says, and the start that had the turn comes first again.
 */
const TAKE = `
  with account as (
    select greatest(a.checks_paused_until, now()) as until,
           (a.checks_paused_until > now() - $5::float8 * interval '1 ms') is true as complains,
           least($4::float8 * 1000 / (a.checks_per_second_max * $6::float8), $7::float8)
             * interval '1 ms' as cost
      from mp_account a where a.id = $1
  ), mine as (
    select full_at from mp_bucket
     where key = $3 and not $8::boolean and full_at > now() - $9::float8 * interval '1 ms'
  ), queued as (
    insert into mp_bucket as b (key, full_at)
    select $2, until + cost from account
     where not exists (select from mine)
       and (complains or $8::boolean
         or exists (select from mp_bucket where key = $2 and full_at > now()))
    on conflict (key) do update
       set full_at = greatest(b.full_at, (select until from account))
                       + (select cost from account)
    returning full_at
  ), turn as (
    select case when $10::boolean then until else full_at - cost end as at from queued, account
  ), kept as (
    insert into mp_bucket as b (key, full_at) select $3, at from turn
    on conflict (key) do update set full_at = case
      when b.full_at > now() and not $8::boolean then b.full_at else excluded.full_at end
    returning full_at
  ), known as (select full_at from mine union all select full_at from kept)
  select (extract(epoch from greatest(full_at - now(), '0')) * 1000)::float8 as wait_ms from known`

const HAS = `
  select key from mp_bucket where key = $1 and full_at > now() - $2::float8 * interval '1 ms'`

const USE = `delete from mp_bucket where key = $1 and full_at <= now() returning key`

/** Whether this shopper already has a turn, and so was counted when the turn was given. */
export async function hasTurn(database: Database, key: string): Promise<boolean> {
  return (await database.query(HAS, [key, LIMITS.turnKeptMs])).length > 0
}

/**
 * @param refused set when the gateway has just said that it is asked too much
 * @returns milliseconds until the turn comes; undefined: there is no queue
 */
export async function takeTurn(
  database: Database,
  { accountId, key, questions }: TurnAsk,
  refused?: { readonly wasItsTurn: boolean },
): Promise<number | undefined> {
  const [row] = await database.query(TAKE, [
    accountId,
    `queue:${accountId}`,
    key,
    questions,
    LIMITS.complaintHoldsMs,
    LIMITS.startsFirstFraction,
    LIMITS.startTurnMaxMs,
    refused !== undefined,
    LIMITS.turnKeptMs,
    refused?.wasItsTurn ?? false,
  ])
  return row && Number(row["wait_ms"])
}

/** @returns false: another request of the same shopper has used the turn */
export async function useTurn(database: Database, key: string): Promise<boolean> {
  return (await database.query(USE, [key])).length > 0
}
