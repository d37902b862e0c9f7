/**
 * The comparison that an admin asks for: as the nightly one, of one period and some accounts. It is
 * one task for all workers, so admins who click together do not ask the gateway twice, and it goes
 * on after the request that began it. It closes no documents; the sweep does.
 *
 * When it ends, its row is gone and its result is kept. A row that stays behind shows that it
 * stopped.
 */
import { errorText } from "../core/error-text"
import { LIMITS } from "../core/limits"
import type { Account } from "../ledger/accounts/find-accounts"
import { dropTask, finishTask, takeTask } from "../ledger/tasks"
import type { FlowDeps } from "../engine/deps"
import { reconcileAccount } from "./reconcile"
import type { Period } from "./rules/reconciliation"
import { keeping } from "./run-task"

/** Begins work that outlives a request. Its signal: the process is to end. */
export type InBackground = (work: (signal: AbortSignal) => Promise<void>) => unknown

/**
 * Begins it, unless a comparison is under way. Never waits for its end.
 *
 * @param subject names accounts and period, for {@link findTask}
 */
export async function compareNow(
  deps: FlowDeps,
  inBackground: InBackground,
  accounts: readonly Account[],
  period: Period,
  subject: string,
): Promise<void> {
  const { database, logger } = deps
  const task = await takeTask(database, "reconcile_now", LIMITS.taskLeaseMs, subject)
  if (!task) return
  inBackground(async (signal) => {
    const keep = keeping(deps, task, signal)
    try {
      for (const account of accounts) await reconcileAccount(deps, account, period, keep)
      await dropTask(database, task)
    } catch (error) {
      logger.error(`merchant payments: a comparison stopped: ${errorText(error)}`)
      // Where that fails too, the lease ends by itself.
      await finishTask(database, task, { inMs: 0 }).catch(() => undefined)
    }
  })
}
