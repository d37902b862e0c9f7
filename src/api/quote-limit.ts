/**
 * Limits what quotes and look-ups of numbers cost the gateway. Anyone may ask without an account
 * and with new carts, and each new question uses the store's rate limit at the gateway. Each
 * network has a share of the process's total, so that one caller's loop does not use it up.
 * Questions of the last seconds are answered from memory.
 *
 * The limit is kept in this process. A shopper who is refused a quote can still pay: `start` asks
 * on its own.
 */
import { LIMITS } from "../core/limits"
import type { Clock } from "../core/ports"
import { allowance, takeOfAll } from "../medusa/wiring/allowance"

export type QuoteLimit = {
  /**
   * Milliseconds until the gateway may be asked about this cart. 0 means now, and counts the
   * question.
   */
  take(network: string, cartId: string): number
}

export type AskLimit = {
  /**
   * Milliseconds until the gateway may be asked for this network. 0 means now, and counts the
   * question.
   */
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
