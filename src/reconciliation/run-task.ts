/**
 * Does a task that one worker does for all of them, when it is due. The lease is renewed on the
 * way; a worker that has lost it, frozen for minutes, stops at the next step. Whatever it did until
 * then the next one finds done: every write of a task is a compare-and-set of its own.
 */
import { errorText } from "../core/error-text"
import { LIMITS } from "../core/limits"
import { databaseFault, isAway } from "../ledger/database-error"
import { finishTask, keepTask, takeTask, type HeldTask, type TaskName } from "../ledger/tasks"
import type { FlowDeps } from "../engine/deps"

/** When the task is due again. */
export type Again = { readonly inMs: number } | { readonly atUtcHour: number }

/**
 * Called between two steps: renews the lease. Throws `TaskLost` once the task is not ours to do.
 */
export type Keep = () => Promise<void>

export class TaskLost extends Error {
  override readonly name = "TaskLost"
}

/** @param signal the process is to end: the task stops at its next step */
export function keeping(
  { database }: Pick<FlowDeps, "database">,
  task: HeldTask,
  signal?: AbortSignal,
): Keep {
  return async () => {
    const isOurs = !signal?.aborted && (await keepTask(database, task, LIMITS.taskLeaseMs))
    if (!isOurs) throw new TaskLost(task.name)
  }
}

/**
 * A part of a task that must not keep the others from their turn.
 *
 * @returns undefined where it threw, which the log says
 * @throws where nothing can go on: the task is another's, or the database is away
 */
export async function apart<T>(
  { logger }: Pick<FlowDeps, "logger">,
  what: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof TaskLost || isAway(databaseFault(error))) throw error
    logger.error(`merchant payments: ${what} failed: ${errorText(error)}`)
    return undefined
  }
}

/**
 * @param work says when it is due again
 * @param signal the process is to end: the task stops at its next step, and another worker may
 *   begin it
 * @returns false when there was nothing to do for this worker
 * @throws what the database said, when it is away
 */
export async function runTask(
  deps: Pick<FlowDeps, "database" | "logger">,
  name: TaskName,
  work: (keep: Keep) => Promise<Again>,
  signal?: AbortSignal,
): Promise<boolean> {
  if (signal?.aborted) return false
  const task = await takeTask(deps.database, name, LIMITS.taskLeaseMs)
  if (!task) return false
  const again = await work(keeping(deps, task, signal)).catch((error: unknown): Again => {
    if (isAway(databaseFault(error))) throw error
    if (signal?.aborted) return { inMs: 0 }
    deps.logger.error(`merchant payments: the ${name} task stopped: ${errorText(error)}`)
    return { inMs: LIMITS.reconcileEveryMs }
  })
  // Of a task that was lost this changes nothing: the token is another's.
  await finishTask(deps.database, task, again)
  return true
}
