/**
 * A comparison that an admin waits for: as the nightly one, for one period and some accounts,
 * within the time that a page can wait. One at a time for all workers, by a lease, so that admins
 * who click together do not ask the gateway twice. It closes no documents; the sweeps do.
 *
 * Like the nightly one it captures nothing and gives nothing back; at most it makes an operation
 * due, or puts money before a person.
 */
import { errorText } from "../core/error-text"
import { LIMITS } from "../core/limits"
import type { Account } from "../ledger/accounts/find-accounts"
import { finishTask, keepTask, takeTask } from "../ledger/tasks"
import type { FlowDeps } from "../engine/deps"
import { budgetUntil } from "./in-time"
import type { Period } from "./read-books"
import { reconcileAccount } from "./reconcile"
import { TaskLost, type Keep } from "./run-task"

/** `busy`: another one is under way, or this one takes longer and goes on by itself. */
export type Now = "done" | "busy"

/**
 * @param isDone asked once it is this one's turn: whether another has compared it since it was
 *   asked for
 */
export async function compareNow(
  deps: FlowDeps,
  accounts: readonly Account[],
  period: Period,
  isDone: () => Promise<boolean>,
): Promise<Now> {
  const { reconcileNowLeaseMs: leaseMs } = LIMITS
  const task = await takeTask(deps.database, "reconcile_now", leaseMs)
  if (!task) return "busy"
  const keep: Keep = async () => {
    if (!(await keepTask(deps.database, task, leaseMs))) throw new TaskLost(task.name)
  }
  const work = isDone()
    .then((isOver) => (isOver ? undefined : withinTime(deps, accounts, period, keep)))
    .finally(() => finishTask(deps.database, task, { inMs: 0 }))
  const waiting = new AbortController()
  const isTooLong = deps.clock
    .sleep(LIMITS.reconcileAnswerMs, waiting.signal)
    .then((): Now => "busy")
  // Whoever loses the race is nobody's to wait for; what it says then is logged.
  isTooLong.catch(() => undefined)
  work.catch((error: unknown) =>
    deps.logger.error(`merchant payments: a comparison stopped: ${errorText(error)}`),
  )
  try {
    return await Promise.race([work.then((): Now => "done"), isTooLong])
  } finally {
    waiting.abort()
  }
}

/** Side by side: an account whose gateway hangs does not use up the time of the others. */
async function withinTime(
  deps: FlowDeps,
  accounts: readonly Account[],
  period: Period,
  keep: Keep,
): Promise<void> {
  const endsAtMs = deps.clock.monotonicMs() + LIMITS.reconcileNowMs
  const timeLeftMs = () => endsAtMs - deps.clock.monotonicMs()
  const isOver = AbortSignal.timeout(LIMITS.reconcileNowMs)
  // A gateway that asked for a pause is not waited for.
  const hasty = { ...deps, budget: budgetUntil(deps.budget, isOver) }
  const compared = await Promise.allSettled(
    accounts.map((account) => reconcileAccount(hasty, account, period, { keep, timeLeftMs })),
  )
  const failed = compared.find((one) => one.status === "rejected")
  if (failed) throw failed.reason
}
