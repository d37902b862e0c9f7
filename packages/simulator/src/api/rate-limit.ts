/**
 * The rate limit (specification, "Limits"): a number of calls per merchant and whole second of the
 * simulator's clock. The specification names no number, so it is off unless set.
 */
import { Problem } from "../problem"
import type { World } from "../world"

/** Throws 429 with the seconds to wait when a call is above the limit. */
export type RateLimit = (world: World, ownerId: number) => void

const MS_PER_SECOND = 1_000

/** @param perSecond 0 for no limit */
export function createRateLimit(perSecond: number): RateLimit {
  const taken = new Map<number, { second: number; calls: number }>()
  return (world, ownerId) => {
    if (perSecond === 0) return
    const second = Math.floor(world.time.nowMs() / MS_PER_SECOND)
    const last = taken.get(ownerId)
    const calls = last?.second === second ? last.calls + 1 : 1
    taken.set(ownerId, { second, calls })
    if (calls > perSecond) {
      throw new Problem(429, { detail: "Too many requests" }, { "retry-after": "1" })
    }
  }
}
