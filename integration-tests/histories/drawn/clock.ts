/**
 * One time for everybody: the ledger's `now()` and the gateway's; the clocks of the processes'
 * machines are so far ahead of it, or behind. It moves when a sequence says so, and by a millisecond
 * with every statement, so that no two things happen at the same moment. Nothing depends on how busy
 * the machine is.
 */
import type { Clock } from "../../../src/core/ports"

const NOON = Date.UTC(2026, 10, 20, 12)

export type DrivenClock = {
  readonly nowMs: () => number
  /** Never goes back. */
  readonly pass: (ms: number) => void
  readonly reset: () => void
  /**
   * As a client of the gateway sees it, whose machine is ahead: a pause between two tries takes its
   * time, and no waiting.
   */
  readonly ofClient: (aheadMs: () => number) => Clock
}

export function drivenClock(): DrivenClock {
  let nowMs = NOON
  const pass = (ms: number) => void (nowMs += Math.max(0, ms))
  return {
    nowMs: () => nowMs,
    pass,
    reset: () => void (nowMs = NOON),
    ofClient: (aheadMs) => ({
      now: () => new Date(nowMs + aheadMs()),
      monotonicMs: () => nowMs,
      sleep: (ms) => Promise.resolve(pass(ms)),
    }),
  }
}
