/**
 * Slows down guessing of session and cart ids. Only misses count, so that many shoppers behind one
 * address are not slowed down. An id has 80 random bits: the limit saves the database work, it does
 * not protect privacy. Without a proxy a caller can avoid it by writing any address (`network.ts`).
 */
import { LIMITS } from "../core/limits"
import type { Clock } from "../core/ports"
import { allowance, forgetOldest, shortKey } from "../engine/allowance"

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
  const known = new Set<string>()

  return {
    waitMs: (network, id) => (known.has(shortKey(id)) ? 0 : misses.waitMs(network)),
    missed: (network) => misses.spend(network),
    found(id) {
      const short = shortKey(id)
      known.delete(short)
      known.add(short)
      forgetOldest(known, LIMITS.foundSessionsMax)
    },
  }
}
