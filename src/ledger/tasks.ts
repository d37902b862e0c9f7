/**
 * Work that one worker does for all workers, from time to time. Each task is a row with a lease and
 * the moment it is due. No worker waits for a task. If a worker dies, the task begins again once
 * it is free, so it must be safe to repeat. A change of a purchase in Medusa is such a task; it
 * is dropped at its end.
 */
import { rowsOf, type Database } from "./database"
import { isFree, leaseToken } from "./lease"

export type TaskName =
  | "sweep"
  | "reconcile"
  | "reconcile_now"
  | "reconcile_lost"
  | "retain"
  | `purchase:${string}`
  | `card:${string}`
  | `card_waits:${string}`

/** A task that this process holds until its lease ends. */
export type HeldTask = { readonly name: TaskName; readonly token: string }

/** Writes only when the task can be taken: even the workers of an idle shop ask each minute. */
const TAKE = `
  insert into mp_task (name, lease_token, lease_until, subject)
  select $1, $2::uuid, now() + $3 * interval '1 ms', $4
   where not exists (
     select from mp_task
      where name = $1 and (due_at > now() or not ${isFree("mp_task")}))
  on conflict (name) do update
     set lease_token = excluded.lease_token, lease_until = excluded.lease_until,
         subject = excluded.subject, begun_at = now()
   where mp_task.due_at <= now() and ${isFree("mp_task")}
  returning name`

export type Taker = {
  /** The process that takes the task. Left out: only the lease's end frees it. */
  readonly worker?: string | undefined
  /** What the task is about; {@link findTask} returns it. */
  readonly subject?: string
}

/**
 * @returns the task, or undefined while it is not due or another worker does it
 */
export async function takeTask(
  database: Database,
  name: TaskName,
  leaseMs: number,
  { worker, subject }: Taker = {},
): Promise<HeldTask | undefined> {
  const token = leaseToken(worker)
  const rows = await database.query(TAKE, [name, token, leaseMs, subject ?? null])
  return rows.length > 0 ? { name, token } : undefined
}

export type TaskState = {
  readonly subject: string | null
  readonly begunAt: Date
  /** False: no worker holds it any more. A task that was dropped at its end is not found at all. */
  readonly isRunning: boolean
}

const STATE = `
  select subject, begun_at as "begunAt", not ${isFree("mp_task")} as "isRunning"
    from mp_task where name = $1`

export async function findTask(database: Database, name: TaskName): Promise<TaskState | undefined> {
  const [state] = await rowsOf<TaskState>(database, STATE, [name])
  return state
}

const KEEP = `
  update mp_task set lease_until = now() + $3 * interval '1 ms'
   where name = $1 and lease_token = $2::uuid returning name`

/** @returns false once another worker has the task: this worker has to stop */
export async function keepTask(
  database: Database,
  task: HeldTask,
  leaseMs: number,
): Promise<boolean> {
  const rows = await database.query(KEEP, [task.name, task.token, leaseMs])
  return rows.length > 0
}

/** The next time it is hour `$4` (UTC) by the database's clock, at least an hour from now. */
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

/** Releases the task. It is due again after `inMs`, or at the next `atUtcHour` (UTC). */
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

/** Deletes a task that is not done again: no row of it is left. */
export async function dropTask(database: Database, task: HeldTask): Promise<void> {
  await database.query(DROP, [task.name, task.token])
}
