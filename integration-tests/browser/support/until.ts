/** Waiting for a fact instead of for time. */
import { setTimeout as sleepFor } from "node:timers/promises"

const LOOK_EVERY_MS = 250
/** A bound, not an expectation: a busy machine is slow. */
const WITHIN_MS = 240_000

/**
 * Calls `check` until it returns something other than null, and returns that.
 * @throws Error naming `what` when it did not come true within `withinMs`
 */
export async function until<T>(
  what: string,
  check: () => T | null | Promise<T | null>,
  withinMs = WITHIN_MS,
): Promise<T> {
  const giveUpAt = performance.now() + withinMs
  for (;;) {
    const seen = await check()
    if (seen !== null) return seen
    if (performance.now() > giveUpAt) throw new Error(`not within ${withinMs} ms: ${what}`)
    await sleepFor(LOOK_EVERY_MS)
  }
}
