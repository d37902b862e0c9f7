/**
 * The outbox of notifications. An event and its notifications are one statement: the event is
 * marked and its rows are made, or neither. So no crash loses one, and none is made twice. Sending
 * claims rows for a while; a dead sender's rows are due again when its claim ends.
 */
import { idFrom, type OperationId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import type { Output } from "../../core/schemas/shapes"
import { storedFacts } from "../../core/schemas/stored"
import { momentIn, rowsOf, type Database, type Row } from "../../ledger/database"
import { HAPPENING, isNews } from "../../worker/sql/announcements"
import type { Happening } from "../../worker/rules/announcements"
import type { Audience, NotificationKind } from "../rules/kinds"

/** One of the ledger's events that was not turned into notifications yet. */
export type Unnotified = Happening & {
  readonly isDuplicate: boolean
  /** The database's clock. */
  readonly readAt: Date
}

/** Exactly the predicate of the index `event_to_notify`, which is empty in an idle store. */
export const IS_UNNOTIFIED = `notified_at is null and ${isNews("name")}`
/** A notification that is to be sent, and one of a summary that is to be made. */
export const IS_WAITING_DUE = "state = 'waiting' and due_at <= now()"
export const IS_COLLECTED_DUE = "state = 'collected' and due_at <= now()"

const UNNOTIFIED = `
  select ${HAPPENING}, o.is_duplicate as "isDuplicate", now() as "readAt"
    from (select * from mp_operation_event
           where ${IS_UNNOTIFIED}
           order by created_at limit ${LIMITS.notifiedAtOnce}) e
    join mp_operation o on o.id = e.operation_id
   order by e.created_at, e.operation_id, e.seq`

export const listUnnotified = (database: Database): Promise<Unnotified[]> =>
  rowsOf<Unnotified>(database, UNNOTIFIED, [], "mp_unnotified")

/** A notification to be made. */
export type NewNotification = {
  readonly kind: NotificationKind
  readonly audience: Audience
  readonly recipientId: string
  readonly channel: string
  /** The same for all recipients of an event. The key is made of it, recipient and channel. */
  readonly eventId: string
  readonly operationId: OperationId | null
  readonly facts: Output<typeof storedFacts>
  readonly occurredAt: Date
  /** When its summary is due; null: it is told at once. */
  readonly summaryAt: Date | null
}

const ROWS = `
  jsonb_to_recordset($1::jsonb) as r (key text, kind text, audience text, recipient_id text,
    channel text, event_id text, operation_id text, seq integer, facts jsonb,
    occurred_at timestamptz, summary_at timestamptz)`
const MAKE = `
  insert into mp_notification (key, kind, audience, recipient_id, channel, event_id, operation_id,
                               facts, occurred_at, state, due_at)
  select r.key, r.kind, r.audience, r.recipient_id, r.channel, r.event_id, r.operation_id, r.facts,
         r.occurred_at, case when r.summary_at is null then 'waiting' else 'collected' end,
         coalesce(r.summary_at, now())`
const ONCE = `on conflict (key) do nothing returning key`

const QUEUE = `${MAKE} from ${ROWS} ${ONCE}`

const QUEUE_OF_EVENTS = `
  with marked as (
    update mp_operation_event e set notified_at = now()
      from unnest($2::text[], $3::integer[]) as read (operation_id, seq)
     where e.operation_id = read.operation_id and e.seq = read.seq and e.notified_at is null
    returning e.operation_id, e.seq
  )
  ${MAKE}
    from ${ROWS}
    join marked m on m.operation_id = r.operation_id and m.seq = r.seq ${ONCE}`

export const keyOf = (one: Pick<NewNotification, "eventId" | "recipientId" | "channel">): string =>
  `${one.eventId}:${one.recipientId}:${one.channel}`

const rowFrom = (one: NewNotification, seq: number | null) => ({
  key: keyOf(one),
  kind: one.kind,
  audience: one.audience,
  recipient_id: one.recipientId,
  channel: one.channel,
  event_id: one.eventId,
  operation_id: one.operationId,
  seq,
  facts: one.facts,
  occurred_at: one.occurredAt.toISOString(),
  summary_at: one.summaryAt?.toISOString() ?? null,
})

/** Makes notifications. One that was made before is left as it is. @returns how many were made */
export async function insertNotifications(
  database: Database,
  made: readonly NewNotification[],
): Promise<number> {
  const rows = JSON.stringify(made.map((one) => rowFrom(one, null)))
  return (await database.query(QUEUE, [rows])).length
}

/**
 * Marks events, and makes their notifications, in one statement. An event that another worker has
 * marked meanwhile makes none here.
 */
export async function notifyOf(
  database: Database,
  events: readonly {
    readonly event: Pick<Unnotified, "operationId" | "seq">
    readonly made: readonly NewNotification[]
  }[],
): Promise<number> {
  const rows = events.flatMap(({ event, made }) => made.map((one) => rowFrom(one, event.seq)))
  const made = await database.query(QUEUE_OF_EVENTS, [
    JSON.stringify(rows),
    events.map(({ event }) => event.operationId),
    events.map(({ event }) => event.seq),
  ])
  return made.length
}

const STATE = "select state from mp_notification where key = $1"

/** @returns undefined: there is no such notification */
export async function stateOf(database: Database, key: string): Promise<string | undefined> {
  const [row] = await rowsOf<{ state: string }>(database, STATE, [key])
  return row?.state
}

/** A notification that this process sends until its claim ends. */
export type Claimed = Omit<NewNotification, "summaryAt"> & {
  readonly key: string
  /** This try counts: 1 is the first. */
  readonly tries: number
  /** Since it was made. */
  readonly ageMs: number
}

const CHANNELS = `
  select distinct channel from mp_notification
   where ${IS_WAITING_DUE} and channel <> all($1::text[])`

/** Channels with something due, without those that this process is busy with. */
export async function dueChannels(
  database: Database,
  busy: readonly string[],
): Promise<readonly string[]> {
  const rows = await database.query(CHANNELS, [[...busy]], "mp_notification_channels")
  return rows.map(({ channel }) => String(channel))
}

const CLAIM = `
  with due as materialized (
    select key from mp_notification
     where state = 'waiting' and channel = $1 and due_at <= now()
       and ($3::text[] is null or kind = any($3::text[]))
     order by due_at limit ${LIMITS.notificationsAtOnce}
       for update skip locked
  )
  update mp_notification n
     set tries = n.tries + 1, due_at = now() + $2 * interval '1 ms'
    from due where n.key = due.key
  returning n.*, extract(epoch from now() - n.created_at)::float8 * 1000 as age_ms`

/** @param kinds left out: of every kind */
export async function claimNotifications(
  database: Database,
  channel: string,
  kinds?: readonly NotificationKind[],
): Promise<Claimed[]> {
  const parameters = [channel, LIMITS.notificationLeaseMs, kinds ? [...kinds] : null]
  return (await database.query(CLAIM, parameters)).map(claimedFrom)
}

const idIn = (value: unknown) => (typeof value === "string" ? idFrom<OperationId>(value) : null)

const claimedFrom = (row: Row): Claimed => ({
  key: String(row["key"]),
  kind: row["kind"] as NotificationKind,
  audience: row["audience"] as Audience,
  recipientId: String(row["recipient_id"]),
  channel: String(row["channel"]),
  eventId: String(row["event_id"]),
  operationId: idIn(row["operation_id"]),
  facts: storedFacts.parse(row["facts"]),
  occurredAt: momentIn(row["occurred_at"]),
  tries: Number(row["tries"]),
  ageMs: Number(row["age_ms"]),
})

/** `failed`: given up. `unknown`: a provider was asked, and nobody knows whether it sent. */
export type NotificationEnd = "sent" | "failed" | "unknown" | "dropped"

const END = `
  update mp_notification set state = $2, problem = $3, ended_at = now()
   where key = $1 and state = 'waiting'`

export async function endNotification(
  database: Database,
  key: string,
  end: NotificationEnd,
  problem: string | null = null,
): Promise<void> {
  await database.query(END, [key, end, problem], "mp_notification_end")
}

const POSTPONE = `
  update mp_notification set due_at = now() + $2 * interval '1 ms', problem = $3
   where key = $1 and state = 'waiting'`

export async function postponeNotification(
  database: Database,
  key: string,
  inMs: number,
  problem: string | null,
): Promise<void> {
  await database.query(POSTPONE, [key, inMs, problem], "mp_notification_later")
}

/**
 * Takes what was collected for a recipient's summary and makes the summary, in one statement, so
 * that each notification is in exactly one. `$1` makes the key unique.
 */
const SUM = `
  with taken as (
    update mp_notification
       set state = 'summed', ended_at = now(),
           summary_key = 'summary:' || $1 || ':' || recipient_id || ':' || channel
     where ${IS_COLLECTED_DUE}
    returning summary_key, recipient_id, channel, kind, occurred_at
  ), counted as (
    select summary_key, recipient_id, channel, kind, count(*)::int as n,
           min(occurred_at) as first_at, max(occurred_at) as last_at
      from taken group by summary_key, recipient_id, channel, kind
  )
  insert into mp_notification (key, kind, audience, recipient_id, channel, event_id, facts)
  select summary_key, 'summary', 'merchant', recipient_id, channel, 'summary:' || $1,
         jsonb_build_object('counts', jsonb_object_agg(kind, n),
                            'from', min(first_at), 'to', max(last_at))
    from counted group by summary_key, recipient_id, channel
  returning key`

/** @returns how many summaries were made */
export async function makeSummaries(database: Database, id: string): Promise<number> {
  return (await database.query(SUM, [id])).length
}

const COLLECTED = `
  select key, occurred_at as "occurredAt" from mp_notification
   where state = 'collected' and recipient_id = $1 and key > $2 order by key limit $3`

const MOVE = `
  update mp_notification n set due_at = moved.due_at
    from unnest($1::text[], $2::timestamptz[]) as moved (key, due_at)
   where n.key = moved.key and n.state = 'collected'`

/** Sets anew when the summaries are due for which a recipient's notifications wait. */
export async function moveCollected(
  database: Database,
  recipientId: string,
  dueAt: (occurredAt: Date) => Date,
): Promise<void> {
  const most = LIMITS.notifiedAtOnce
  for (let after = ""; ;) {
    const rows = await rowsOf<{ key: string; occurredAt: Date }>(database, COLLECTED, [
      recipientId,
      after,
      most,
    ])
    const due = rows.map(({ occurredAt }) => dueAt(occurredAt))
    await database.query(MOVE, [rows.map(({ key }) => key), due])
    const last = rows.at(-1)
    if (!last || rows.length < most) return
    after = last.key
  }
}

/** A notification that was not told, for the settings. */
export type NotTold = {
  readonly kind: NotificationKind
  readonly recipientId: string
  readonly channel: string
  readonly operationId: OperationId | null
  readonly state: "failed" | "unknown"
  readonly problem: string | null
  readonly at: Date
}

const NOT_TOLD = `
  select kind, recipient_id as "recipientId", channel, operation_id as "operationId", state,
         problem, ended_at as at
    from mp_notification where state in ('failed', 'unknown') order by ended_at desc limit $1`

export const listNotTold = (database: Database, most: number): Promise<NotTold[]> =>
  rowsOf<NotTold>(database, NOT_TOLD, [most])

const WAITING = `
  select count(*)::int as n from (
    select from mp_notification where state = 'waiting' and tries > 0
      and problem is not null limit 1000) w`

/** How many wait for another try, counted up to 1,000. */
export async function countWaiting(database: Database): Promise<number> {
  const [row] = await database.query(WAITING, [])
  return Number(row?.["n"] ?? 0)
}

/** A test is shown to who made it, so it is no trouble of the outbox however it ended. */
const NOTE_TEST = `
  insert into mp_notification
    (key, event_id, kind, audience, channel, recipient_id, state, problem, occurred_at, ended_at)
  values ($1, $1, 'test', 'merchant', $2, $3, case when $4::text is null then 'sent' else 'dropped' end,
          $4, now(), now())`

export async function noteTest(
  database: Database,
  test: {
    readonly key: string
    readonly channel: string
    readonly adminId: string
    /** Null: it was sent. */
    readonly problem: string | null
  },
): Promise<void> {
  const { key, channel, adminId, problem } = test
  await database.query(NOTE_TEST, [key, channel, adminId, problem])
}
