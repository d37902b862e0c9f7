/**
 * One clock for everybody: the ledger's `now()`, the gateway's, and the processes'. It moves when a
 * sequence says so, and by a millisecond with every statement, so that no two things happen at the
 * same moment. Nothing depends on how busy the machine is.
 */
import type { Clock } from "../../../src/core/ports"

const NOON = Date.UTC(2026, 10, 20, 12)

export type DrivenClock = {
  readonly nowMs: () => number
  /** Never goes back. */
  readonly pass: (ms: number) => void
  readonly reset: () => void
  /**
   * As the client of the gateway sees it: a pause between two tries takes its time, and no waiting.
   */
  readonly ofClient: Clock
}

export function drivenClock(): DrivenClock {
  let nowMs = NOON
  const pass = (ms: number) => void (nowMs += Math.max(0, ms))
  return {
    nowMs: () => nowMs,
    pass,
    reset: () => void (nowMs = NOON),
    ofClient: {
      now: () => new Date(nowMs),
      monotonicMs: () => nowMs,
      sleep: (ms) => Promise.resolve(pass(ms)),
    },
  }
}
