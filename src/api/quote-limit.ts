/**
 * Bounds what quotes, and look-ups of numbers, cost the gateway. Anybody may ask, without an account and
 * with carts of their own making, and each new question is a call that the store pays with its own rate
 * there. One network has a share of what the process may ask, so that one stranger's loop does not use it
 * up for everybody. What was asked within the last seconds is answered from memory and costs nothing.
 *
 * In this process alone, as the guess limit. Who is refused can still pay: `start` asks for itself.
 */
import { allowance, takeOfAll } from "../core/allowance"
import { LIMITS } from "../core/limits"
import type { Clock } from "../core/ports"

export type QuoteLimit = {
  /** Milliseconds until the gateway may be asked about this cart; 0: now, and that is counted. */
  take(network: string, cartId: string): number
}

export type AskLimit = {
  /** Milliseconds until the gateway may be asked for this network; 0: now, and that is counted. */
  take(network: string): number
}

const ALL = "all"

export function quoteLimit(clock: Pick<Clock, "monotonicMs">): QuoteLimit {
  const ofCart = allowance(clock, {
    atOnce: LIMITS.quoteAsksOfCart,
    earnedBackMs: LIMITS.quoteAskOfCartBackMs,
    keysMax: LIMITS.quoteCartsMax,
  })
  const shared = askLimit(clock)
  return {
    take(network, cartId) {
      const waitMs = ofCart.waitMs(cartId)
      if (waitMs > 0) return waitMs
      const sharedMs = shared.take(network)
      if (sharedMs === 0) ofCart.spend(cartId)
      return sharedMs
    },
  }
}

export function askLimit(clock: Pick<Clock, "monotonicMs">): AskLimit {
  const ofNetwork = allowance(clock, {
    atOnce: LIMITS.asksOfNetwork,
    earnedBackMs: LIMITS.askOfNetworkBackMs,
    keysMax: LIMITS.networksMax,
  })
  const ofProcess = allowance(clock, {
    atOnce: LIMITS.asksOfProcess,
    earnedBackMs: LIMITS.askOfProcessBackMs,
    keysMax: 1,
  })
  return { take: (network) => takeOfAll([ofNetwork, network], [ofProcess, ALL]) }
}
