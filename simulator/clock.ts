/**
 * The simulator's own time. Nothing in it waits for a moment: what an execution reads like is
 * computed from its plan and this clock at the time of reading, so a driven clock moves everything
 * at once.
 */

/** The wall clock, or a test's. `now()` is a `Date` or milliseconds since the epoch. */
export type SimulatorClock = { now(): number | Date }

export const systemClock: SimulatorClock = { now: () => Date.now() }

export type Time = {
  /** Milliseconds since the epoch by the simulator's clock. */
  nowMs(): number
  /** A planned delay after the speed was applied, in milliseconds. */
  delayMs(plannedMs: number): number
}

/** `speed` divides planned delays; it leaves time stamps, session windows and token life alone. */
export const timeOf = (clock: SimulatorClock, speed: number): Time => ({
  nowMs: () => Number(clock.now()),
  delayMs: (plannedMs) => Math.round(plannedMs / speed),
})

export const iso = (ms: number): string => new Date(ms).toISOString()
