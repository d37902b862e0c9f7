/**
 * Looks, in every process of the store, whether the job that checks payments still runs, and tells
 * when it does not, in the log once: the job itself can't. Where the only process is down, nothing here can tell;
 * a monitor of the health route does.
 */
import { errorText } from "../../core/error-text"
import { jobProblem } from "../../accounts/rules/health"
import { LIMITS } from "../../core/limits"
import { TablesNotMigrated } from "../../ledger/fitting-tables"
import type { NotificationPorts } from "../../notifications/deps"
import { sendDue } from "../../notifications/send"
import { watchJob, type WatchedJob } from "../../notifications/trouble"

const KINDS = ["job_stopped", "job_runs_again"] as const

/**
 * @param pause resolves when it is time to look again, or when the signal aborts
 * @returns a function that ends the watch
 */
export function watchTheJob(
  depsOf: () => NotificationPorts,
  pause: (signal: AbortSignal) => Promise<void> = sleep,
): () => void {
  const ended = new AbortController()
  const { signal } = ended
  let deps: NotificationPorts | undefined
  void (async () => {
    let goneSinceMs: number | undefined
    let isLogged = false
    let isSaid = false
    for (;;) {
      await pause(signal)
      if (signal.aborted) return
      try {
        deps ??= depsOf()
        const nowMs = deps.clock.monotonicMs()
        const watchedMs = goneSinceMs === undefined ? 0 : nowMs - goneSinceMs
        const watched = await watchJob(deps, watchedMs)
        const { isRunning } = watched
        isSaid = sayOnce(deps, watched, isSaid)
        goneSinceMs = isRunning ? undefined : (goneSinceMs ?? nowMs)
        // While the job stands, no other process sends what was queued.
        if (!isRunning) await sendDue(deps, signal, undefined, KINDS)
        isLogged = false
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof TablesNotMigrated) continue
        if (!isLogged) {
          deps?.logger.warn(
            `merchant payments: it can't be seen whether the job runs: ${errorText(error)}`,
          )
        }
        isLogged = true
      }
    }
  })()
  return () => ended.abort()
}

/** A deployment without a worker is no news; workers that look for nothing always are. */
function sayOnce(
  { logger }: Pick<NotificationPorts, "logger">,
  watched: WatchedJob,
  isSaid: boolean,
): boolean {
  const { isRunning, workers, lastPassMsAgo } = watched
  if (isRunning && isSaid) logger.info("merchant payments: the job runs again")
  if (isRunning || isSaid) return isSaid && !isRunning
  if (workers === 0 && (lastPassMsAgo ?? 0) < LIMITS.jobGoneAfterMs) return false
  logger.error(`merchant payments: ${jobProblem(watched)}`)
  return true
}

/** The timer keeps no process alive: a script that uses the store ends when its work is done. */
function sleep(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, LIMITS.jobWatchEveryMs)
    timer.unref()
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}
