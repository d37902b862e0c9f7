/**
 * Work that one worker does for all, now and then: a row for each task, with the moment it is due
 * and a lease. No worker waits for a task. If one dies, the task begins again at the end of its
 * lease, so it has to be safe to repeat. A purchase changed in Medusa is one, dropped at its end.
 */
import { randomUUID } from "node:crypto"
import { rowsOf, type Database } from "./database"

export type TaskName = "sweep" | "reconcile" | "reconcile_now" | "retain" | `purchase:${string}`

/** A task that this process holds until its lease ends. */
export type HeldTask = { readonly name: TaskName; readonly token: string }

/** Writes only when there is something to take: an idle shop asks each minute. */
const TAKE = `
  insert into mp_task (name, lease_token, lease_until, subject)
  select $1, $2::uuid, now() + $3 * interval '1 ms', $4
   where not exists (
     select from mp_task
      where name = $1 and (due_at > now() or (lease_until is not null and lease_until >= now())))
  on conflict (name) do update
     set lease_token = excluded.lease_token, lease_until = excluded.lease_until,
         subject = excluded.subject, begun_at = now()
   where mp_task.due_at <= now() and (mp_task.lease_until is null or mp_task.lease_until < now())
  returning name`

/**
 * @param subject what it is about, for {@link findTask}
 * @returns the task, or undefined while it is not due or another worker does it
 */
export async function takeTask(
  database: Database,
  name: TaskName,
  leaseMs: number,
  subject: string | null = null,
): Promise<HeldTask | undefined> {
  const token = randomUUID()
  const rows = await database.query(TAKE, [name, token, leaseMs, subject])
  return rows.length > 0 ? { name, token } : undefined
}

export type TaskState = {
  readonly subject: string | null
  readonly begunAt: Date
  /** False: no worker holds it any more. A task that was dropped at its end is not found at all. */
  readonly isRunning: boolean
}

const STATE = `
  select subject, begun_at as "begunAt", coalesce(lease_until >= now(), false) as "isRunning"
    from mp_task where name = $1`

export async function findTask(database: Database, name: TaskName): Promise<TaskState | undefined> {
  const [state] = await rowsOf<TaskState>(database, STATE, [name])
  return state
}

const KEEP = `
  update mp_task set lease_until = now() + $3 * interval '1 ms'
   where name = $1 and lease_token = $2::uuid returning name`

/** @returns false once another worker has the task: this one has to stop */
export async function keepTask(
  database: Database,
  task: HeldTask,
  leaseMs: number,
): Promise<boolean> {
  const rows = await database.query(KEEP, [task.name, task.token, leaseMs])
  return rows.length > 0
}

/** The next such hour by the database's clock, never sooner than an hour from now. */
const NEXT_HOUR = `
  date_trunc('day', (now() + interval '1 hour') at time zone 'utc')
    + case when extract(hour from (now() + interval '1 hour') at time zone 'utc') < $4::int
           then interval '0' else interval '1 day' end
    + $4::int * interval '1 hour'`

const FINISH = `
  update mp_task
     set lease_token = null, lease_until = null,
         due_at = case when $4::int is null then now() + $3::float8 * interval '1 ms'
                       else (${NEXT_HOUR}) at time zone 'utc' end
   where name = $1 and lease_token = $2::uuid`

/** Gives the task back, until it is due again: so much later, or at an hour of the day, UTC. */
export async function finishTask(
  database: Database,
  task: HeldTask,
  again: { readonly inMs: number } | { readonly atUtcHour: number },
): Promise<void> {
  const inMs = "inMs" in again ? again.inMs : null
  const hour = "inMs" in again ? null : again.atUtcHour
  await database.query(FINISH, [task.name, task.token, inMs, hour])
}

const DROP = `delete from mp_task where name = $1 and lease_token = $2::uuid`

/** Of a task that is not done again: nothing is left of it. */
export async function dropTask(database: Database, task: HeldTask): Promise<void> {
  await database.query(DROP, [task.name, task.token])
}
