/**
 * How often all workers together ask the gateway for an account: a bucket in the account's own row,
 * filled at the learned rate by the database's clock, with one second's worth at most.
 *
 * A claim that wanted more than there was raises the rate a little; a 429 halves it, once for all
 * questions asked before it. `Retry-After` stops the account for all workers. The questions of a
 * check beyond its first are paid afterwards, so the balance may be below zero.
 */
import { LIMITS } from "../core/limits"
import type { Database } from "./database"

/** An account's rate now; its bound may have been lowered since the rate was learned. */
export const RATE = `least(a.checks_per_second, a.checks_per_second_max)`
const CAPACITY = `greatest(1, ${RATE})`
/** A statement may have begun before the one that wrote the figures: then no time has passed. */
export const SINCE_SECONDS = `greatest(0, extract(epoch from now() - a.checks_counted_at))::float8`
export const LEFT = `least(${CAPACITY}, a.checks_left + ${SINCE_SECONDS} * ${RATE})`
export const IS_OPEN = `(a.checks_paused_until is null or a.checks_paused_until <= now())`

const SPEND = `update mp_account set checks_left = checks_left - $2::float8 where id = $1`

/** Pays for questions that no claim has paid for; a negative number gives unasked ones back. */
export async function spendChecks(
  database: Database,
  accountId: string,
  questions: number,
): Promise<void> {
  await database.query(SPEND, [accountId, questions])
}

/** Leaves half of a second's worth of questions to the checks. */
const SPARE = `
  update mp_account a
     set checks_left = ${LEFT} - 1, checks_counted_at = greatest(a.checks_counted_at, now())
   where a.id = $1 and ${IS_OPEN} and ${LEFT} >= greatest(1, ${CAPACITY} / 2)
  returning a.id`

/** Pays for one question that no payment depends on. @returns whether it may be asked */
export async function takeSpareCheck(database: Database, accountId: string): Promise<boolean> {
  return (await database.query(SPARE, [accountId])).length > 0
}

/**
 * Operations due before the pause ends become due at its end, in the same order, a microsecond
 * apart. Operations that are held, or only to be recorded in Medusa, are left alone. A pause that
 * grows by a moment, as with each of ten answers to one burst, moves nothing.
 */
const PAUSE = `
  with account as (
    select a.id, a.checks_paused_until as was,
           greatest(a.checks_paused_until, now() + $2::float8 * interval '1 ms') as until,
           $3::boolean and (a.checks_slowed_at is null
             or a.checks_slowed_at <= now() - $4::float8 * interval '1 ms') as slows
      from mp_account a where a.id = $1 for no key update
  ), paused as (
    update mp_account a
       set checks_paused_until = account.until,
           checks_left = least(a.checks_left, 0),
           checks_counted_at = greatest(a.checks_counted_at, account.until),
           checks_per_second = case when slows
             then greatest(least($5::float8, ${RATE}), ${RATE} / 2) else a.checks_per_second end,
           checks_slowed_at = case when slows then now() else a.checks_slowed_at end
      from account where a.id = account.id
  ), held as materialized (
    select o.id, o.waiting, o.next_check_at, account.until
      from account
      join mp_operation o on o.account_id = account.id
     where o.state not in ('completed', 'review') and o.next_check_at is not null
       and o.next_check_at < account.until and (o.lease_until is null or o.lease_until < now())
       and (account.was is null or account.was < account.until - interval '1 second')
       for update of o skip locked
  ), queue as (
    select id, until + row_number() over (order by next_check_at) * interval '1 us' as at from held
  )
  update mp_operation o set next_check_at = queue.at from queue where o.id = queue.id`

/** The gateway asked to be left alone: no worker begins a check of this account for so long. */
export async function pauseChecks(
  database: Database,
  accountId: string,
  pause: {
    /** Milliseconds from now; not capped here. */
    readonly forMs: number
    /** The gateway said 429: it was asked too much. */
    readonly isTooMany: boolean
  },
): Promise<void> {
  await database.query(PAUSE, [
    accountId,
    pause.forMs,
    pause.isTooMany,
    LIMITS.checksHalveEveryMs,
    LIMITS.checksPerSecondMin,
  ])
}
