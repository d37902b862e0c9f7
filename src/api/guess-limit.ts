/**
 * Slows down whoever guesses ids of payment sessions or carts. Only misses count, by the network that they
 * come from, so that a shop full of shoppers behind one address is not slowed down by their number; an id
 * that was found lately is answered even while somebody in the same network is guessing.
 *
 * In this process alone and in bounded memory: an id has 80 random bits, so the limit saves the database
 * work and is not what keeps a payment private. Without a proxy a guesser can write any address, and is
 * not slowed down by this (`network.ts`).
 */
import { allowance } from "../core/allowance"
import { LIMITS } from "../core/limits"
import type { Clock } from "../core/ports"
import { RecentMap } from "../core/recent-map"

export type GuessLimit = {
  /** Milliseconds until this network may ask for this id; 0: now. */
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
