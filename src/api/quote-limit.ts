/**
 * Limits how often quotes and operators are asked for: each new question uses the store's rate
 * limit at the gateway. Each network has a share of this process's total, so that one caller's loop
 * does not use it up. A shopper who is refused can still pay: `start` asks on its own.
 */
import type { CartId } from "../core/ids"
import { LIMITS } from "../core/limits"
import type { Clock } from "../core/ports"
import { allowance, takeOfAll } from "../medusa/wiring/allowance"

/** `take`: milliseconds until the gateway may be asked; 0 means now, and counts the question. */
type QuoteLimit = { take(network: string, cartId: CartId): number }
type AskLimit = { take(network: string): number }

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
