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
import { rowsOf, type Database } from "./database"
import { databaseFault, isAway } from "./database-error"

/** How it was noticed. `gateway`: it knows a reference that the ledger never sent. */
type NoticedBy = "process" | "silence" | "place" | "gateway" | "person"

/** The last number that this process has raised the mark to. */
const known = new WeakMap<Database, number>()
const knownIn = (database: Database) => known.get(database) ?? 0

/** The row was not raised for longer than any restart of all processes takes. */
const SILENT = `mark.beat_at < now() - ${LIMITS.databaseSilentMs} * interval '1 ms'`

const NOTICED = `case
  when mark.beats < $1::bigint then 'process'
  when ${SILENT} then 'silence'
  when exists (select from jsonb_each_text(excluded.place) here
                where mark.place ->> here.key <> here.value) then 'place' end`

const BEAT = `
  insert into mp_database_mark as mark
    (name, beats, place, behind_since, noticed_at, noticed_by)
  select 'database', $1::bigint + 1, $2::jsonb,
         case when $1 > 0 then now() - ${LIMITS.reconcileDaysMs} * interval '1 ms' end,
         case when $1 > 0 then now() end, case when $1 > 0 then 'process' end
   where set_config('synchronous_commit', 'on', true) = 'on'
  on conflict (name) do update
    set beats = greatest(mark.beats, $1) + 1, beat_at = now(), place = mark.place || excluded.place,
        behind_since = case when ${NOTICED} is null then mark.behind_since
                            else least(mark.behind_since, mark.beat_at) end,
        noticed_at = case when ${NOTICED} is null then mark.noticed_at else now() end,
        noticed_by = coalesce(${NOTICED}, mark.noticed_by)
  returning beats::float8 as beats, noticed_by as "noticedBy", noticed_at = now() as "isNews"`

/** Each on its own: a database may not let its users read one of them. */
const PLACE: Readonly<Record<string, string>> = {
  system: "select system_identifier::text as value from pg_control_system()",
  timeline: "select left(pg_walfile_name(pg_current_wal_lsn()), 8) as value",
  database: "select oid::text as value from pg_database where datname = current_database()",
  table: "select 'mp_operation'::regclass::oid::text as value",
}

/**
 * Raises the mark; called with each sign of life.
 *
 * @returns how a loss was noticed by this very call
 */
export async function raiseMark(database: Database): Promise<NoticedBy | undefined> {
  const before = knownIn(database)
  // A process that has beaten knows more than the place could say.
  const place = before > 0 ? {} : await readPlace(database)
  const [mark] = await rowsOf<{ beats: number; noticedBy: NoticedBy; isNews: boolean | null }>(
    database,
    BEAT,
    [before, JSON.stringify(place)],
    "mp_database_mark",
  )
  if (mark) known.set(database, mark.beats)
  return mark?.isNews ? mark.noticedBy : undefined
}

async function readPlace(database: Database): Promise<Record<string, string>> {
  const place: Record<string, string> = {}
  for (const [name, sql] of Object.entries(PLACE)) {
    try {
      const [row] = await database.query(sql, [])
      if (typeof row?.["value"] === "string") place[name] = row["value"]
    } catch (error) {
      if (isAway(databaseFault(error))) throw error
    }
  }
  return place
}

/** A time that the database may have lost in part. */
export type Behind = {
  readonly since: Date
  readonly noticedAt: Date
  readonly noticedBy: NoticedBy
}

const READ = `
  select coalesce(behind_since, beat_at) as since, coalesce(noticed_at, now()) as "noticedAt",
         coalesce(noticed_by, 'silence') as "noticedBy"
    from mp_database_mark mark
   where behind_since is not null or beats < $1 or ${SILENT}`

/** Also between two signs of life; undefined: the database knows all that was committed. */
export async function findBehind(database: Database): Promise<Behind | undefined> {
  const [behind] = await rowsOf<Behind>(database, READ, [knownIn(database)])
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
