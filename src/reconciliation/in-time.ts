/**
 * The end of the time that somebody waits for: what would begin after it is left undone, and said
 * so.
 */
import type { FlowDeps } from "../engine/deps"

/** A question had no turn before the time was over; nothing was sent. */
class OutOfTime extends Error {
  override readonly name = "OutOfTime"
}

/** Waits its turn like everybody, but no longer than so. */
export function budgetUntil(budget: FlowDeps["budget"], isOver: AbortSignal): FlowDeps["budget"] {
  return {
    pause: (accountId, ms) => budget.pause(accountId, ms),
    allow: (accountId, perSecond) => budget.allow(accountId, perSecond),
    async take(accountId, signal) {
      try {
        await budget.take(accountId, signal ? AbortSignal.any([signal, isOver]) : isOver)
      } catch (error) {
        throw isOver.aborted && !signal?.aborted ? new OutOfTime() : error
      }
    },
  }
}

/** @returns undefined when the time was over before its turn came */
export async function inTime<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof OutOfTime) return undefined
    throw error
  }
}
