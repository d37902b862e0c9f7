/**
 * Whether the looking goes on: when a worker last came by, how long the oldest due payment has
 * waited, and what each account may be asked. For people and monitors; nothing is decided by it.
 */
import { LIMITS } from "../core/limits"
import type { Database, Row } from "./database"

export type AccountHealth = {
  readonly accountId: string
  /** Questions a second that all workers together may ask, as learned so far. */
  readonly checksPerSecond: number
  /** The gateway asked to be left alone until then; null when it did not. */
  readonly pausedUntil: Date | null
  /** How long the oldest question that is due has been due; null when none is. */
  readonly oldestDueMs: number | null
}

export type CheckHealth = {
  /** By the database's clock, as every time here, true to `heartbeatEveryMs`; null: never. */
  readonly lastPassAt: Date | null
  /** Which worker that was. */
  readonly lastPassBy: string | null
  /** All that gave a sign of life lately, by name. */
  readonly workers: readonly string[]
  /** How long two of them have been there side by side, at the longest; null: there are no two. */
  readonly togetherMs: number | null
  /** Operations for which one of them waits for Medusa beyond the bound. */
  readonly unanswered: readonly string[]
  /** The longest wait of all that is due, also of what is to be recorded; null when nothing is. */
  readonly oldestDueMs: number | null
  readonly accounts: readonly AccountHealth[]
  readonly readAt: Date
}

/** Two probes of an index for each account, one for each half: never a walk over what is due. */
const ACCOUNTS = `
  select a.id, least(a.checks_per_second, a.checks_per_second_max) as rate,
         case when a.checks_paused_until > now() then a.checks_paused_until end as paused_until,
         ${waited("o.account_id = a.id and o.state not in ('completed', 'review')")} as waited_ms
    from mp_account a order by a.id`

const REST = `
  select now() as read_at, ${waited("o.state in ('completed', 'review')")} as waited_ms,
         (select coalesce(json_agg(json_build_object('id', id, 'at', seen_at,
                   'here', seen_at > now() - $1 * interval '1 ms') order by seen_at desc), '[]')
            from mp_worker) as workers,
         (select max(extract(epoch from least(one.seen_at, other.seen_at)
                       - greatest(one.began_at, other.began_at)))::float8 * 1000
            from mp_worker one join mp_worker other on one.id < other.id
           where least(one.seen_at, other.seen_at) > now() - $1 * interval '1 ms') as together_ms,
         (select coalesce(json_agg(distinct held), '[]') from mp_worker, unnest(unanswered) held
           where seen_at > now() - $1 * interval '1 ms') as unanswered`

function waited(rows: string): string {
  const first = (isWaiting: string) => `(
           select o.next_check_at from mp_operation o
            where ${rows} and ${isWaiting} and o.next_check_at is not null
              and o.next_check_at <= now()
            order by o.next_check_at limit 1)`
  const oldest = `least(${first("o.waiting")}, ${first("not o.waiting")})`
  return `extract(epoch from now() - ${oldest})::float8 * 1000`
}

export async function readCheckHealth(database: Database): Promise<CheckHealth> {
  const accounts = (await database.query(ACCOUNTS, [])).map(accountFrom)
  const [rest = {}] = await database.query(REST, [LIMITS.workerGoneAfterMs])
  const workers = workersFrom(rest["workers"])
  const waits = [numberOrNull(rest["waited_ms"]), ...accounts.map(({ oldestDueMs }) => oldestDueMs)]
  const known = waits.flatMap((wait) => wait ?? [])
  const readAt = dateOrNull(rest["read_at"])
  if (!readAt) throw new Error("the database did not tell its time")
  return {
    lastPassAt: workers[0]?.at ?? null,
    lastPassBy: workers[0]?.id ?? null,
    workers: workers.filter(({ isHere }) => isHere).map(({ id }) => id),
    togetherMs: numberOrNull(rest["together_ms"]),
    unanswered: textsFrom(rest["unanswered"]),
    oldestDueMs: known.length === 0 ? null : Math.max(...known),
    accounts,
    readAt,
  }
}

function accountFrom(row: Row): AccountHealth {
  return {
    accountId: String(row["id"]),
    checksPerSecond: Number(row["rate"]),
    pausedUntil: dateOrNull(row["paused_until"]),
    oldestDueMs: numberOrNull(row["waited_ms"]),
  }
}

function workersFrom(value: unknown): { id: string; at: Date | null; isHere: boolean }[] {
  if (!Array.isArray(value)) return []
  return value.map((worker: { id?: unknown; at?: unknown; here?: unknown }) => ({
    id: String(worker.id),
    at: dateOrNull(worker.at),
    isHere: worker.here === true,
  }))
}

function textsFrom(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function dateOrNull(value: unknown): Date | null {
  const date = typeof value === "string" ? new Date(value) : value
  return date instanceof Date && !Number.isNaN(date.getTime()) ? date : null
}

function numberOrNull(value: unknown): number | null {
  return typeof value === "number" ? value : null
}

/** The worker has ended: it does not count as one that is there. */
export async function forgetWorker(database: Database, worker: string): Promise<void> {
  await database.query(`delete from mp_worker where id = $1`, [worker])
}
