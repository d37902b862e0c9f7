/**
 * The clock of a process that works: it runs a pass of each job when it is time. Medusa's schedule
 * only says whose turn it is: in a process with the turn passes begin once an interval, in the
 * others only when two intervals went by without one. So a job is run in time also where Medusa's
 * schedule stands still: on its Redis engine the queue may be held by a job of the shop's own, and a
 * Redis that comes back empty has no ticks at all. Claims make a pass more safe. By the same clock
 * the process gives its sign of life and renews its leases, so that a long pass is no silence.
 */
import { errorText } from "../../core/error-text"
import { LIMITS } from "../../core/limits"
import type { Clock, Logger } from "../../core/ports"
import { TablesNotMigrated } from "../../ledger/fitting-tables"
import type { Job } from "./job"

export type OwnClockParts = {
  readonly clock: Pick<Clock, "monotonicMs">
  readonly logger: Pick<Logger, "warn" | "info">
  readonly jobs: readonly (Pick<Job, "everyMs" | "takeTurn" | "hasTurn" | "begunMsAgo"> & {
    run(): Promise<void>
  })[]
  /** Gives the sign of life and renews the leases. */
  beat(): Promise<void>
  /** Calls `work` every `ms` milliseconds; default: a timer that keeps no process alive. */
  readonly every?: (ms: number, work: () => void) => () => void
}

/** @returns a function that ends the clock, and resolves when no sign of life is under way */
export function ownClock(parts: OwnClockParts): () => Promise<void> {
  const { clock, logger, jobs, every = timer } = parts
  const begunAtMs = clock.monotonicMs()
  let beating: Promise<void> | undefined
  let isSilent = false

  /** A job that never ran here is in time for as long as one that ran when the clock began. */
  const isDue = ({ everyMs, hasTurn, begunMsAgo }: (typeof jobs)[number]) =>
    (begunMsAgo() ?? clock.monotonicMs() - begunAtMs) >=
    (hasTurn() ? everyMs - LIMITS.tickSlackMs : everyMs * LIMITS.passLateAfter)

  async function beat(): Promise<void> {
    try {
      await parts.beat()
      if (isSilent) logger.info("merchant payments: this process is heard again")
      isSilent = false
    } catch (error) {
      if (isSilent || error instanceof TablesNotMigrated) return
      isSilent = true
      logger.warn(`merchant payments: no sign of life could be given: ${errorText(error)}`)
    }
  }

  /** A pass fails only where its parts can't be had; what fails in it, it says itself. */
  const failed = (error: unknown) =>
    logger.warn(`merchant payments: a pass could not begin: ${errorText(error)}`)

  const beatOnce = () => {
    beating ??= beat().finally(() => (beating = undefined))
  }
  beatOnce()
  // Medusa's schedule first speaks when an interval of its own has gone by.
  for (const one of jobs) one.takeTurn()
  const ends = [
    every(LIMITS.heartbeatEveryMs, beatOnce),
    every(LIMITS.ownTickMs, () => {
      for (const one of jobs) if (isDue(one)) one.run().catch(failed)
    }),
  ]
  return async () => {
    for (const end of ends) end()
    await beating
  }
}

function timer(ms: number, work: () => void): () => void {
  const ticks = setInterval(work, ms).unref()
  return () => clearInterval(ticks)
}
