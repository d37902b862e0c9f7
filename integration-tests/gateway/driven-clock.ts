/**
 * A clock that moves only when a test advances it or a sleep begins: a sleep returns at once and
 * advances the clock by its length.
 */
import type { Clock } from "../../src/core/ports"

export type DrivenClock = Clock & {
  advance(ms: number): void
  /** Every sleep so far, in milliseconds. */
  readonly sleeps: readonly number[]
}

export function drivenClock(start = new Date("2026-06-01T10:00:00Z")): DrivenClock {
  let elapsedMs = 0
  const sleeps: number[] = []
  return {
    now: () => new Date(start.getTime() + elapsedMs),
    monotonicMs: () => elapsedMs,
    sleep: (ms, signal) => {
      if (signal?.aborted) return Promise.reject(new Error("aborted"))
      sleeps.push(ms)
      elapsedMs += ms
      return Promise.resolve()
    },
    advance: (ms) => {
      elapsedMs += ms
    },
    sleeps,
  }
}
