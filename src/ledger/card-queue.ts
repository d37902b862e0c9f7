/**
 * The queue of card starts of one merchant client, over all processes: each is a row of `mp_task`,
 * and the earliest comes first. The row only orders them; what excludes the others is the task
 * `card:…`, which the first of the queue takes. A start that stops asking loses its place.
 */
import { randomUUID } from "node:crypto"
import { LIMITS } from "../core/limits"
import { rowsOf, type Database } from "./database"
import { isFree } from "./lease"
import { dropTask, takeTask, type HeldTask } from "./tasks"

const IS_PLACE = (row: string) => String.raw`${row}.name like 'card\_waits:%'`

/** Rows that a dead process left; the longer time lets a slow one find out that it is too late. */
const CLEAR = `
  delete from mp_task t
   where ${IS_PLACE("t")} and t.subject = $1 and t.lease_until < now() - interval '1 minute'`

/** @param client the merchant client's key. Joins its queue at the end. */
export async function joinCardQueue(
  database: Database,
  client: string,
  worker: string | undefined,
): Promise<HeldTask> {
  await database.query(CLEAR, [client])
  const taker = { worker, subject: client }
  const name = `card_waits:${randomUUID()}` as const
  const place = await takeTask(database, name, LIMITS.cardPlaceMs, taker)
  if (!place) throw new Error(`the place ${name} is taken`)
  return place
}

const AHEAD = `
  with kept as (
    update mp_task set lease_until = now() + $3::float8 * interval '1 ms'
     where name = $1 and lease_token = $2::uuid and lease_until > now()
    returning name, subject, begun_at
  )
  select (select count(*)::int from mp_task t
           where ${IS_PLACE("t")} and t.subject = kept.subject
             and (t.begun_at, t.name) < (kept.begun_at, kept.name)
             and not ${isFree("t")}) as ahead
    from kept`

/** Keeps the place. @returns how many starts come before; undefined: the place is lost */
export async function cardStartsAhead(
  database: Database,
  { name, token }: HeldTask,
): Promise<number | undefined> {
  const parameters = [name, token, LIMITS.cardPlaceMs]
  const [row] = await rowsOf<{ ahead: number }>(database, AHEAD, parameters)
  return row?.ahead
}

export const leaveCardQueue = dropTask
