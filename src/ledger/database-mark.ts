/**
 * Notices that the database has lost commits: it was restored from a backup, or a standby took over
 * that lacked the last ones. The gateway then knows of money that the ledger does not, so no rule
 * sends, places or cancels anything until that time has been compared with the gateway.
 *
 * Each worker raises `beats` with its sign of life and remembers the number, outside of whatever a
 * backup holds. A row with less, a row that nobody raised for a while, and a row that was written in
 * another database or on another timeline each say that something may be lost. A shop that was only
 * off looks the same; the comparison finds nothing then and ends it.
 */
import { LIMITS } from "../core/limits"
import { rowsOf, type Database, type Row } from "./database"
import { databaseFault, isAway } from "./database-error"
import { perStore } from "./per-store"

/** How it was noticed. `gateway`: it knows a reference that the ledger never sent. */
type NoticedBy = "process" | "silence" | "place" | "gateway" | "person"

const knownOf = perStore(() => ({
  /** The last number that this process has raised the mark to. */
  beats: 0,
  /** What of the place this process can read: a database may not let its users read all of it. */
  readable: undefined as readonly string[] | undefined,
}))

/** The row was not raised for longer than any restart of all processes takes. */
const SILENT = `mark.beat_at < now() - ${LIMITS.databaseSilentMs} * interval '1 ms'`

/** @param place SQL of where the database is now */
const noticed = (place: string) => `case
  when mark.beats < $1::bigint then 'process'
  when ${SILENT} then 'silence'
  when exists (select from jsonb_each_text(${place}) here
                where mark.place ->> here.key <> here.value) then 'place' end`

const NOTICED = noticed("excluded.place")

const beatAt = (place: string) => `
  insert into mp_database_mark as mark
    (name, beats, place, behind_since, noticed_at, noticed_by)
  select 'database', $1::bigint + 1, ${place},
         case when $1 > 0 then now() - ${LIMITS.reconcileDaysMs} * interval '1 ms' end,
         case when $1 > 0 then now() end, case when $1 > 0 then 'process' end
   where set_config('synchronous_commit', 'on', true) = 'on'
  on conflict (name) do update
    set beats = greatest(mark.beats, $1) + 1, beat_at = greatest(mark.beat_at, now()),
        place = mark.place || excluded.place,
        behind_since = case when ${NOTICED} is null then mark.behind_since
                            else least(mark.behind_since, mark.beat_at, now()) end,
        noticed_at = case when ${NOTICED} is null then mark.noticed_at else now() end,
        noticed_by = coalesce(${NOTICED}, mark.noticed_by)
  returning beats::float8 as beats, noticed_by as "noticedBy", noticed_at = now() as "isNews",
            beat_at > clock_timestamp() + ${LIMITS.clockPutBackMs} * interval '1 ms' as "isAhead"`

type MarkRow = {
  readonly beats: number
  readonly noticedBy: NoticedBy
  readonly isNews: boolean | null
  readonly isAhead: boolean
}

const PLACE: Readonly<Record<string, string>> = {
  system: "(select system_identifier::text from pg_control_system())",
  timeline: "left(pg_walfile_name(pg_current_wal_lsn()), 8)",
  database: "(select oid::text from pg_database where datname = current_database())",
  table: "'mp_operation'::regclass::oid::text",
}

type Raised = {
  /** How a loss was noticed by this very call. */
  readonly noticedBy?: NoticedBy | undefined
  /** The mark stands in the future: the clock was put back since. */
  readonly isAhead: boolean
}

/**
 * Raises the mark; called with each sign of life. The place is read each time, as by
 * {@link findBehind}: a standby that took over may lack commits since the last sign of life, and
 * have the number that this process knows.
 */
export async function raiseMark(database: Database): Promise<Raised> {
  const [mark] = await inPlace<MarkRow>(database, beatAt, "mp_database_mark")
  if (mark) knownOf({ database }).beats = mark.beats
  return { noticedBy: mark?.isNews ? mark.noticedBy : undefined, isAhead: mark?.isAhead === true }
}

/** @param sqlAt the statement, given SQL of where the database is now */
async function inPlace<T extends Row>(
  database: Database,
  sqlAt: (place: string) => string,
  how?: string,
): Promise<T[]> {
  const known = knownOf({ database })
  const names = known.readable ?? (await readableIn(database))
  known.readable = names
  const place = names.map((name) => `'${name}', ${PLACE[name]}`).join(", ")
  const sql = sqlAt(`jsonb_build_object(${place})`)
  return rowsOf<T>(database, sql, [known.beats], how).catch((error: unknown) => {
    known.readable = undefined
    throw error
  })
}

async function readableIn(database: Database): Promise<string[]> {
  const names: string[] = []
  for (const [name, sql] of Object.entries(PLACE)) {
    try {
      const [row] = await database.query(`select ${sql} as value`, [])
      if (typeof row?.["value"] === "string") names.push(name)
    } catch (error) {
      if (isAway(databaseFault(error))) throw error
    }
  }
  return names
}

/** A time that the database may have lost in part. */
export type Behind = {
  readonly since: Date
  readonly noticedAt: Date
  readonly noticedBy: NoticedBy
}

const readAt = (place: string) => `
  select coalesce(behind_since, beat_at) as since, coalesce(noticed_at, now()) as "noticedAt",
         coalesce(noticed_by, ${noticed("at.place")}) as "noticedBy"
    from mp_database_mark mark cross join (select ${place} as place) at
   where behind_since is not null or ${noticed("at.place")} is not null`

/**
 * Also between two signs of life: a rule asks just before it acts. Undefined: the database knows all
 * that was committed.
 */
export async function findBehind(database: Database): Promise<Behind | undefined> {
  const [behind] = await inPlace<Behind>(database, readAt)
  return behind
}

/** Whether rules have to stand still. */
export async function isBehind(database: Database): Promise<boolean> {
  return (await findBehind(database)) !== undefined
}

const NOTICE = `
  insert into mp_database_mark as mark (name, behind_since, noticed_at, noticed_by)
  select 'database', coalesce($1::timestamptz, now() - ${LIMITS.reconcileDaysMs} * interval '1 ms'),
         now(), $2
  on conflict (name) do update
    set behind_since = least(mark.behind_since, excluded.behind_since), noticed_at = now(),
        noticed_by = excluded.noticed_by`

/** @param since null: since the moment that the nightly comparison looks back to */
export async function noticeBehind(
  database: Database,
  by: NoticedBy,
  since: Date | null = null,
): Promise<void> {
  await database.query(NOTICE, [since, by])
}

/** A loss that was noticed meanwhile has a later moment and stays. */
const END = `
  update mp_database_mark set behind_since = null, noticed_at = null, noticed_by = null
   where date_trunc('milliseconds', noticed_at) = date_trunc('milliseconds', $1::timestamptz)`

export async function endBehind(database: Database, { noticedAt }: Behind): Promise<void> {
  await database.query(END, [noticedAt])
}
