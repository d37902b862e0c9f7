/**
 * The simulator's own time. No timer drives an execution: its status is computed at each reading
 * from its plan and this clock, so that moving the clock moves everything at once.
 */

/** The wall clock, or a test's. `now()` is a `Date` or milliseconds since the epoch. */
export type SimulatorClock = { now(): number | Date }

export const systemClock: SimulatorClock = { now: () => Date.now() }

export type Time = {
  /** Milliseconds since the epoch by the simulator's clock. */
  nowMs(): number
  /** The planned delay divided by the speed, in milliseconds. */
  delayMs(plannedMs: number): number
}

/** `speed` divides planned delays. Time stamps, session windows and token life are not affected. */
export const timeOf = (clock: SimulatorClock, speed: number): Time => ({
  nowMs: () => Number(clock.now()),
  delayMs: (plannedMs) => Math.round(plannedMs / speed),
})

export const iso = (ms: number): string => new Date(ms).toISOString()
