/**
 * Tracks the jobs' work in progress, and ends it at shutdown: no more work begins, and the
 * application waits a while for the rest. Work that is not done by then is covered by its leases,
 * as after a crash.
 */
import { LIMITS } from "../core/limits"
import type { Clock } from "../core/ports"

export type WorkInProgress = {
  /**
   * Runs a job's work with a signal that aborts at the end; runs nothing once the end has begun.
   */
  run(work: (signal: AbortSignal) => Promise<void>): Promise<void>
  /**
   * Like `run`, but the job does not wait for it. Does nothing while work of the same name is under
   * way. The work must not reject.
   */
  begin(name: string, work: (signal: AbortSignal) => Promise<void>): void
  /** Tracks work that continues after its job has ended. It must not reject. */
  follow(rest: Promise<void>): void
  /** Resolves when no work is under way, after {@link LIMITS.endWithinMs} at the latest. */
  end(): Promise<void>
}

export function workInProgress(clock: Pick<Clock, "sleep">): WorkInProgress {
  const ending = new AbortController()
  const underWay = new Set<Promise<void>>()
  const names = new Set<string>()
  const followed = (work: Promise<void>): Promise<void> => {
    const running: Promise<void> = work.finally(() => underWay.delete(running))
    underWay.add(running)
    return running
  }
  return {
    async run(work) {
      if (!ending.signal.aborted) await followed(work(ending.signal))
    },
    begin(name, work) {
      if (ending.signal.aborted || names.has(name)) return
      names.add(name)
      void followed(work(ending.signal)).finally(() => names.delete(name))
    },
    follow: (rest) => void followed(rest),
    async end() {
      ending.abort()
      const patience = new AbortController()
      const late = clock.sleep(LIMITS.endWithinMs, patience.signal).catch(() => undefined)
      await Promise.race([Promise.allSettled(underWay), late])
      patience.abort()
    },
  }
}
