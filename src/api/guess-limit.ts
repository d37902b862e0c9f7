/**
 * Slows down whoever guesses ids of payment sessions or carts. Only misses count, by the address that they come
 * from, so that a shop full of shoppers behind one address is not slowed down by their number; an id
 * that was found lately is answered even while somebody at the same address is guessing.
 *
 * In this process alone and in bounded memory: an id has 80 random bits, so the limit saves the database
 * work and is not what keeps a payment private. Addresses are as Express sees them; Medusa trusts one
 * proxy, so without a proxy a guesser can write any address and is not slowed down by this.
 */
import net from "node:net"
import { allowance, dropOldest } from "../core/allowance"
import { LIMITS } from "../core/limits"
import type { Clock } from "../core/ports"

export type GuessLimit = {
  /** Milliseconds until this address may ask for this id; 0: now. */
  waitMs(address: string, id: string): number
  missed(address: string): void
  found(id: string): void
}

export function guessLimit(clock: Pick<Clock, "monotonicMs">): GuessLimit {
  const misses = allowance(clock, {
    atOnce: LIMITS.missesAtOnce,
    earnedBackMs: LIMITS.missEarnedBackMs,
    keysMax: LIMITS.missAddressesMax,
  })
  const known = new Set<string>()

  return {
    waitMs(address, id) {
      return known.has(id) ? 0 : misses.waitMs(networkOf(address))
    },
    missed: (address) => misses.spend(networkOf(address)),
    found(id) {
      known.delete(id)
      known.add(id)
      dropOldest(known, LIMITS.foundSessionsMax)
    },
  }
}

/** One subscriber has a whole /64 of IPv6 addresses; an IPv4 address stands for itself. */
function networkOf(address: string): string {
  if (!net.isIPv6(address)) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped?.[1]) return mapped[1]
  const [head = "", tail] = address.split("::")
  const groups = head === "" ? [] : head.split(":")
  const after = tail === undefined || tail === "" ? [] : tail.split(":")
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - after.length)
  const all = [...groups, ...Array<string>(zeros).fill("0"), ...after]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`
}
