/** Troubles that were told and are not over: the first to write one down tells it, once. */
import { LIMITS } from "../../core/limits"
import { momentIn, rowsOf, type Database } from "../../ledger/database"

const BEGIN = `
  insert into mp_notification_trouble (subject, since)
  values ($1, date_trunc('milliseconds', now()))
  on conflict (subject) do nothing returning since`

const FIND = `select since from mp_notification_trouble where subject = $1`

export type Trouble = { readonly since: Date; readonly isNew: boolean }

/**
 * Writes down that a trouble began. A second call, of any process, finds the first one's moment.
 * @returns since when it has been; `isNew`: this call has written it down
 */
export async function beginTrouble(database: Database, subject: string): Promise<Trouble> {
  const [begun] = await database.query(BEGIN, [subject])
  const [row] = begun ? [begun] : await database.query(FIND, [subject])
  return { since: momentIn(row?.["since"]), isNew: begun !== undefined }
}

export async function findTrouble(database: Database, subject: string): Promise<Date | undefined> {
  const [row] = await database.query(FIND, [subject])
  return row && momentIn(row["since"])
}

const END = `
  delete from mp_notification_trouble where subject = $1 and since = $2 returning subject`

/**
 * Forgets a trouble, after its end was queued: a crash in between queues the same end again.
 * @returns whether this call has ended it
 */
export async function endTrouble(
  database: Database,
  subject: string,
  since: Date,
): Promise<boolean> {
  return (await database.query(END, [subject, since])).length > 0
}

export type OperatorEnds = {
  readonly operator: string
  readonly ended: number
  /** Of `ended`: for a reason that is the operator's own. */
  readonly failed: number
  readonly completed: number
}

/**
 * Ended payments of each operator that began lately. A payer who declines, has no money or types a
 * wrong PIN was served by the operator, so that is no failure here.
 */
const ENDS = `
  select payment_method as operator, count(*)::int as ended,
         count(*) filter (where state = 'failed'
                            and reason in ('operator_unavailable', 'unknown'))::int as failed,
         count(*) filter (where state = 'completed')::int as completed
    from mp_operation
   where type = 'COLLECTION' and created_at > now() - $1 * interval '1 ms'
     and state in ('completed', 'failed', 'expired') and submitted_at is not null
     and payment_method is not null and flow = 'push'
   group by payment_method`

export const readOperatorEnds = (database: Database): Promise<OperatorEnds[]> =>
  rowsOf<OperatorEnds>(database, ENDS, [LIMITS.operatorTroubleWithinMs])
