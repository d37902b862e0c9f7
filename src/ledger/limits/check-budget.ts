/**
 * How often all workers together ask the gateway for an account: a bucket in the account's own row,
 * filled at the account's bound by the database's clock, with one second's worth at most. When the
 * gateway asks for a pause, the account's row says until when, and nothing is granted before.
 *
 * The questions of a check beyond its first are paid afterwards, so the balance may be below zero.
 */
import type { AccountId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import { rowsOf, type Database } from "../database"
import { isFree } from "../lease"

/** Open operations that a check asks the gateway about, whose next check is due and not held. */
export const IS_DUE = `o.next_check_at is not null and o.next_check_at <= now()
           and ${isFree("o")}`
export const IS_ASKED = `o.state not in ('completed', 'review')`

/**
 * Rows with and without a waiting shopper are read separately, so each read starts at its oldest
 * row. In one read over both, a server without skip scans walks at each tick through every row that
 * is not due.
 */
export const BOTH = `(values (true), (false)) half (waiting)`

/** A statement may have begun before the one that wrote the figures: then no time has passed. */
const SINCE_SECONDS = `greatest(0, extract(epoch from now() - a.checks_counted_at))::float8`
export const LEFT = `least(a.checks_per_second_max,
                    a.checks_left + ${SINCE_SECONDS} * a.checks_per_second_max)`
export const IS_OPEN = `(a.checks_paused_until is null or a.checks_paused_until <= now())`

/**
 * Locks an account's row only if something of it is due, so an idle shop costs no write. The rows
 * that are due are counted, not locked: the claim that follows may find fewer.
 */
export const GRANT = `
  with due as materialized (
    select a.id, ${LEFT} as had, least(floor(${LEFT}), rows.n, room.most)::int as questions
      from mp_account a
      left join unnest($2::text[], $3::int[]) own (id, room) on own.id = a.id
      cross join lateral (select coalesce(own.room, $1::int) as most) room
      cross join lateral (
        select count(*) as n from ${BOTH} cross join lateral (
          select o.id from mp_operation o
           where o.account_id = a.id and o.waiting = half.waiting and ${IS_ASKED} and ${IS_DUE}
           order by o.next_check_at limit ${LIMITS.checksPerRun}) o
      ) rows
     where ${IS_OPEN} and ${LEFT} >= 1 and rows.n > 0 and room.most > 0
     order by a.id
       for no key update of a
  )
  update mp_account a
     set checks_left = due.had - due.questions,
         checks_counted_at = greatest(a.checks_counted_at, now())
    from due where a.id = due.id
  returning a.id as "accountId", due.questions`

/** How many questions a worker may ask for an account now. They are paid for. */
export type Grant = { readonly accountId: AccountId; readonly questions: number }

/**
 * Grants each account with due operations as many questions as its bound leaves.
 * @param atMost the most for an account that `room` does not name
 * @param room the most for an account that the worker has questions of already
 */
export function grantChecks(
  database: Database,
  atMost: number,
  room: ReadonlyMap<string, number> = new Map(),
): Promise<Grant[]> {
  const parameters = [atMost, [...room.keys()], [...room.values()]]
  return rowsOf<Grant>(database, GRANT, parameters, "mp_grant")
}

const SPEND = `update mp_account set checks_left = checks_left - $2::float8 where id = $1`

/** Pays for questions that no grant has paid for; a negative number gives unasked ones back. */
export async function spendChecks(
  database: Database,
  accountId: AccountId,
  questions: number,
): Promise<void> {
  await database.query(SPEND, [accountId, questions])
}

/** Leaves half of a second's worth of questions to the checks. */
const SPARE = `
  update mp_account a
     set checks_left = ${LEFT} - 1, checks_counted_at = greatest(a.checks_counted_at, now())
   where a.id = $1 and ${IS_OPEN} and ${LEFT} >= greatest(1, a.checks_per_second_max / 2.0)
  returning a.id`

/** Pays for one question that no payment depends on. @returns whether it may be asked */
export async function takeSpareCheck(database: Database, accountId: AccountId): Promise<boolean> {
  return (await database.query(SPARE, [accountId])).length > 0
}

/** The questions that were left are forgotten, so that the end of a pause is no burst. */
const PAUSE = `
  update mp_account a
     set checks_paused_until = pause.until,
         checks_left = least(a.checks_left, 0),
         checks_counted_at = greatest(a.checks_counted_at, pause.until)
    from (select id, greatest(checks_paused_until, now() + $2::float8 * interval '1 ms') as until
            from mp_account where id = $1 for no key update) pause
   where a.id = pause.id`

/**
 * The gateway asked to be left alone: no worker begins a check of this account for so long. Its
 * operations stay due and are claimed after it, in their order.
 * @param forMs milliseconds from now; not capped here
 */
export async function pauseChecks(
  database: Database,
  accountId: AccountId,
  forMs: number,
): Promise<void> {
  await database.query(PAUSE, [accountId, forMs])
}
