/**
 * What the client needs from the world outside; tests pass a driven clock and a seeded random. There
 * are two clocks: `now()` goes only into what people read; `monotonicMs()` measures deadlines,
 * because the wall clock may jump.
 */
import { setTimeout as sleepFor } from "node:timers/promises"

export type Clock = {
  /** Wall clock. Never compared with a time that another machine gave. */
  now(): Date
  /** Milliseconds since an arbitrary start; never goes back. */
  monotonicMs(): number
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export type Random = {
  /** At least 0 and below 1, for jitter only. Never for ids. */
  fraction(): number
}

export type Logger = {
  debug(message: string): void
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  sleep: async (ms, signal) => {
    await sleepFor(ms, undefined, signal ? { signal } : undefined)
  },
}

export const systemRandom: Random = { fraction: () => Math.random() }
