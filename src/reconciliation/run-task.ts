/**
 * Runs a task that one worker does for all, when it is due. A worker that has lost the lease, after
 * being frozen for minutes, stops at its next step. The next worker does not repeat what is done:
 * every write of a task is a compare-and-set.
 */
import { errorText } from "../core/error-text"
import { LIMITS } from "../core/limits"
import { databaseFault, isAway } from "../ledger/database-error"
import { finishTask, keepTask, takeTask, type HeldTask, type TaskName } from "../ledger/tasks"
import type { LedgerDeps } from "../engine/deps"

/** When the task is due again. */
type Again = { readonly inMs: number } | { readonly atUtcHour: number }

/** Called between two steps: renews the lease. Throws `TaskLost` if another worker may have it. */
export type Keep = () => Promise<void>

class TaskLost extends Error {
  override readonly name = "TaskLost"
}

/** @param signal aborts when the process is to end: the task stops at its next step */
export function keeping(
  { database }: Pick<LedgerDeps, "database">,
  task: HeldTask,
  signal?: AbortSignal,
): Keep {
  return async () => {
    const isOurs = !signal?.aborted && (await keepTask(database, task, LIMITS.taskLeaseMs))
    if (!isOurs) throw new TaskLost(task.name)
  }
}

/**
 * A part of a task whose failure must not stop the other parts.
 *
 * @returns undefined where it threw, which the log says
 * @throws if another worker has the task, or the database is away
 */
export async function apart<T>(
  { logger }: Pick<LedgerDeps, "logger">,
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
 * @param signal aborts when the process is to end: another worker may then begin the task
 * @param work does the task and says when it is due again
 * @returns false when there was nothing to do for this worker
 * @throws the database's error, when it is away
 */
export async function runTask(
  deps: LedgerDeps & { readonly worker?: string },
  name: TaskName,
  signal: AbortSignal | undefined,
  work: (keep: Keep) => Promise<Again>,
): Promise<boolean> {
  if (signal?.aborted) return false
  const task = await takeTask(deps.database, name, LIMITS.taskLeaseMs, deps)
  if (!task) return false
  const again = await work(keeping(deps, task, signal)).catch((error: unknown): Again => {
    if (isAway(databaseFault(error))) throw error
    if (signal?.aborted) return { inMs: 0 }
    deps.logger.error(`merchant payments: the ${name} task stopped: ${errorText(error)}`)
    return { inMs: LIMITS.reconcileEveryMs }
  })
  // For a lost task this changes nothing, because the row has another token.
  await finishTask(deps.database, task, again)
  return true
}
