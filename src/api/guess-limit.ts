/**
 * Slows down guessing of session and cart ids. Only misses count, so that many shoppers behind one
 * address are not slowed down. An id has 80 random bits: the limit saves the database work, it does
 * not protect privacy. Without a proxy a caller can avoid it by writing any address (`network.ts`).
 */
import { LIMITS } from "../core/limits"
import type { Clock } from "../core/ports"
import { allowance } from "../medusa/wiring/allowance"
import { RecentMap } from "../medusa/wiring/recent-map"

export type GuessLimit = {
  /** Milliseconds until this network may ask for this id; 0 if the id was found lately. */
  waitMs(network: string, id: string): number
  missed(network: string): void
  found(id: string): void
}

export function guessLimit(clock: Pick<Clock, "monotonicMs">): GuessLimit {
  const misses = allowance(clock, {
    atOnce: LIMITS.missesAtOnce,
    earnedBackMs: LIMITS.missEarnedBackMs,
    keysMax: LIMITS.networksMax,
  })
  const known = new RecentMap<true>(LIMITS.foundSessionsMax)

  return {
    waitMs: (network, id) => (known.get(id) ? 0 : misses.waitMs(network)),
    missed: (network) => misses.spend(network),
    found: (id) => known.set(id, true),
  }
}
