/**
 * How the calls of all processes to the gateway went lately: one row for each minute and account,
 * to which each process adds from time to time. Admins and monitors read it; it decides nothing.
 */
import type { AccountId } from "../core/ids"
import { LIMITS } from "../core/limits"
import { rowOf, type Database } from "./database"

export type CallCount = {
  readonly accountId: AccountId
  readonly calls: number
  /**
   * Calls without a trustworthy answer, or with one that our credentials should never get: 401 and
   * 403.
   */
  readonly errors: number
  readonly tooMany: number
  /** Milliseconds since the gateway last gave a usable answer. */
  readonly answeredMsAgo: number | null
}

/** The same statement deletes old rows, a handful: the minutes of an hour, a day ago. */
const ADD = `
  with old as (
    delete from mp_gateway_minute
     where minute < date_trunc('minute', now()) - $2::float8 * interval '1 ms'
  )
  insert into mp_gateway_minute as m (minute, account_id, calls, errors, too_many, last_answer_at)
  select date_trunc('minute', now()), c."accountId", c.calls, c.errors, c."tooMany",
         now() - c."answeredMsAgo" * interval '1 ms'
    from jsonb_to_recordset($1::jsonb)
           as c ("accountId" text, calls int, errors int, "tooMany" int, "answeredMsAgo" float8)
  on conflict (minute, account_id) do update
    set calls = m.calls + excluded.calls, errors = m.errors + excluded.errors,
        too_many = m.too_many + excluded.too_many,
        last_answer_at = greatest(m.last_answer_at, excluded.last_answer_at)`

export async function addCalls(database: Database, counts: readonly CallCount[]): Promise<void> {
  await database.query(ADD, [JSON.stringify(counts), LIMITS.callCountsKeptForMs])
}

export type CallTotals = {
  readonly calls: number
  readonly errors: number
  readonly tooMany: number
  /** Milliseconds since the last usable answer that is still kept; null: there is none. */
  readonly lastAnswerMsAgo: number | null
}

const READ = `
  select coalesce(sum(calls) filter (where lately), 0)::int as calls,
         coalesce(sum(errors) filter (where lately), 0)::int as errors,
         coalesce(sum(too_many) filter (where lately), 0)::int as "tooMany",
         extract(epoch from now() - max(last_answer_at))::float8 * 1000 as "lastAnswerMsAgo"
    from (select *, minute >= now() - $1::float8 * interval '1 ms' as lately
            from mp_gateway_minute) m`

/** @param withinMs period of the counts; the last answer is searched in all that is kept */
export function readCalls(database: Database, withinMs: number): Promise<CallTotals> {
  return rowOf<CallTotals>(database, READ, [withinMs])
}
