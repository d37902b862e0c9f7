/**
 * A clock whose long sleeps end when a test lets time pass. Those of a second or less are true: the
 * job writes what it has put together, and leaves behind what is slow, by itself.
 */
import { systemClock, type Clock } from "../../src/core/ports"

const SHORT_MS = 1_000

export type DrivenClock = Clock & {
  /** So much time passes at once. */
  pass(ms: number): void
}

export function drivenClock(): DrivenClock {
  let aheadMs = 0
  const sleepers = new Set<{ readonly untilMs: number; wake(): void }>()
  const monotonicMs = () => systemClock.monotonicMs() + aheadMs
  return {
    now: () => systemClock.now(),
    monotonicMs,
    sleep(ms, signal) {
      if (ms <= SHORT_MS) return systemClock.sleep(ms, signal)
      return new Promise((resolve, reject) => {
        const sleeper = { untilMs: monotonicMs() + ms, wake: resolve }
        sleepers.add(sleeper)
        signal?.addEventListener("abort", () => {
          sleepers.delete(sleeper)
          reject(new DOMException("aborted", "AbortError"))
        })
      })
    },
    pass(ms) {
      aheadMs += ms
      for (const sleeper of sleepers) {
        if (sleeper.untilMs > monotonicMs()) continue
        sleepers.delete(sleeper)
        sleeper.wake()
      }
    },
  }
}
