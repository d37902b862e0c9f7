/**
 * The comparison that an admin asks for: as the nightly one, of one period and some accounts. It is
 * one task for all workers, so admins who click together do not ask the gateway twice, and it goes
 * on after the request that began it. When it ends, its row is gone and its result is kept; a row
 * that stays behind tells that it stopped.
 *
 * Like the nightly one it captures and refunds nothing; at most it makes an operation due or puts
 * money under review. It closes no documents; the sweeps do.
 */
import { errorText } from "../core/error-text"
import { LIMITS } from "../core/limits"
import type { Account } from "../ledger/accounts/find-accounts"
import { dropTask, finishTask, takeTask, type HeldTask } from "../ledger/tasks"
import type { FlowDeps } from "../engine/deps"
import type { Period } from "./read-sides"
import { reconcileAccount } from "./reconcile"
import { keeping } from "./run-task"

/** Begins work that outlives a request. Its signal: the process is to end. */
export type InBackground = (work: (signal: AbortSignal) => Promise<void>) => unknown

export type Comparison = {
  readonly accounts: readonly Account[]
  readonly period: Period
  /** Names accounts and period, for {@link findTask}. */
  readonly subject: string
}

/** Begins it, unless a comparison is under way. Never waits for its end. */
export async function compareNow(
  deps: FlowDeps,
  inBackground: InBackground,
  comparison: Comparison,
): Promise<void> {
  const { subject } = comparison
  const task = await takeTask(deps.database, "reconcile_now", LIMITS.taskLeaseMs, subject)
  if (task) inBackground((signal) => compare(deps, task, comparison, signal))
}

async function compare(
  deps: FlowDeps,
  task: HeldTask,
  { accounts, period }: Comparison,
  signal: AbortSignal,
): Promise<void> {
  const { database, logger } = deps
  const keep = keeping(deps, task, signal)
  try {
    for (const account of accounts) await reconcileAccount(deps, account, period, keep)
    await dropTask(database, task)
  } catch (error) {
    logger.error(`merchant payments: a comparison stopped: ${errorText(error)}`)
    // Where that fails too, the lease ends by itself.
    await finishTask(database, task, { inMs: 0 }).catch(() => undefined)
  }
}
