/**
 * What the jobs of this application have under way, and its end: told to end, they begin nothing more,
 * and the application waits for them a while. What is not over by then is covered by its leases, as
 * after a crash.
 */
import { LIMITS } from "../../../core/limits"
import type { Clock } from "../../../core/ports"

export type WorkInProgress = {
  /** Runs a job's work with the signal of the end; not at all once that has come. */
  run(work: (signal: AbortSignal) => Promise<void>): Promise<void>
  /** Resolves when nothing is under way, after {@link LIMITS.endWithinMs} at the latest. */
  end(): Promise<void>
}

export function workInProgress(clock: Pick<Clock, "sleep">): WorkInProgress {
  const ending = new AbortController()
  const underWay = new Set<Promise<void>>()
  return {
    async run(work) {
      if (ending.signal.aborted) return
      const running: Promise<void> = work(ending.signal).finally(() => underWay.delete(running))
      underWay.add(running)
      await running
    },
    async end() {
      ending.abort()
      const patience = new AbortController()
      const late = clock.sleep(LIMITS.endWithinMs, patience.signal).catch(() => undefined)
      await Promise.race([Promise.allSettled(underWay), late])
      patience.abort()
    },
  }
}
