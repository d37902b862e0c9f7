/**
 * Troubles that were told and are not over: the first to write one down tells it, once. The event
 * of an operator's, for the store's bus, is committed with it, so that only the process that has
 * changed the row makes one.
 */
import { momentIn, type Database } from "../../ledger/database"

/** What the store's bus hears of a payment method. */
export type MethodNews = {
  readonly method: string
  /** Why, as a code. */
  readonly reason: string
  readonly ended: number
  readonly failed: number
}

/** SQL that adds the event of a change; its four values are bound from `$2` or `$3` on. */
const eventOf = (
  name: "disrupted" | "recovered",
  changed: string,
  first: number,
  and: string = "",
) => `
  insert into mp_method_event (payment_method, since, name, reason, ended, failed)
  select $${first}::text, since, '${name}', $${first + 1}::text, $${first + 2}::int,
         $${first + 3}::int
    from ${changed} where $${first}::text is not null ${and}
  on conflict do nothing`

const valuesOf = (news: MethodNews | null) =>
  news ? [news.method, news.reason, news.ended, news.failed] : [null, null, null, null]

const BEGIN = `
  with begun as (
    insert into mp_notification_trouble (subject, since)
    values ($1, date_trunc('milliseconds', now()))
    on conflict (subject) do nothing returning since
  ), known as (
    select since from mp_notification_trouble where subject = $1
  ), told as (${eventOf("disrupted", "(select since from begun union select since from known) b", 2)})
  select since from begun`

const FIND = `select since from mp_notification_trouble where subject = $1`

export type Trouble = { readonly since: Date; readonly isNew: boolean }

/**
 * Writes down that a trouble began. A second call, of any process, finds the first one's moment.
 * @returns since when it has been; `isNew`: this call has written it down
 */
export async function beginTrouble(
  database: Database,
  subject: string,
  news: MethodNews | null = null,
): Promise<Trouble> {
  const [begun] = await database.query(BEGIN, [subject, ...valuesOf(news)])
  const [row] = begun ? [begun] : await database.query(FIND, [subject])
  return { since: momentIn(row?.["since"]), isNew: begun !== undefined }
}

export async function findTrouble(database: Database, subject: string): Promise<Date | undefined> {
  const [row] = await database.query(FIND, [subject])
  return row && momentIn(row["since"])
}

/** A version that made no such events may have noticed the trouble: its end alone says nothing. */
const HAS_BEGUN = `and exists (
    select from mp_method_event e
     where e.payment_method = $3 and e.since = over.since and e.name = 'disrupted')`

const END = `
  with over as (
    delete from mp_notification_trouble where subject = $1 and since = $2 returning since
  ), told as (${eventOf("recovered", "over", 3, HAS_BEGUN)})
  select since from over`

/**
 * Forgets a trouble, after its end was queued: a crash in between queues the same end again.
 * @returns whether this call has ended it
 */
export async function endTrouble(
  database: Database,
  subject: string,
  since: Date,
  news: MethodNews | null = null,
): Promise<boolean> {
  return (await database.query(END, [subject, since, ...valuesOf(news)])).length > 0
}
