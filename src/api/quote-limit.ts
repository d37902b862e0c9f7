/**
 * Bounds what quotes cost the gateway. Anybody may ask for one, without an account and with carts of
 * their own making, and each new question is a call that the store pays with its own rate there: without
 * a bound a stranger's loop would leave none for the looks that payments wait for. What was asked within
 * the last seconds is answered from memory and costs nothing.
 *
 * In this process alone, as the guess limit. Who is refused can still pay: `start` asks for itself.
 */
import { allowance } from "../core/allowance"
import { LIMITS } from "../core/limits"
import type { Clock } from "../core/ports"

export type QuoteLimit = {
  /** Milliseconds until the gateway may be asked about this cart; 0: now, and that is counted. */
  take(cartId: string): number
}

const ALL = "all"

export function quoteLimit(clock: Pick<Clock, "monotonicMs">): QuoteLimit {
  const ofCart = allowance(clock, {
    atOnce: LIMITS.quoteAsksOfCart,
    earnedBackMs: LIMITS.quoteAskOfCartBackMs,
    keysMax: LIMITS.quoteCartsMax,
  })
  const ofProcess = allowance(clock, {
    atOnce: LIMITS.quoteAsksOfProcess,
    earnedBackMs: LIMITS.quoteAskOfProcessBackMs,
    keysMax: 1,
  })
  return {
    take(cartId) {
      const waitMs = Math.max(ofCart.waitMs(cartId), ofProcess.waitMs(ALL))
      if (waitMs > 0) return waitMs
      ofCart.spend(cartId)
      ofProcess.spend(ALL)
      return 0
    },
  }
}
