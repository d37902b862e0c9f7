import { LIMITS } from "../../core/limits"
import type { Clock } from "../../core/ports"
import type { CheckBudget } from "../../engine/deps"

/**
 * Spreads this process's questions to the gateway over time: each account has a bucket that refills
 * at the rate all workers share, and is paused while the gateway asks for it. The claims limit the
 * number of questions; without this budget a pass would send them in one burst.
 */
export function checkBudget(clock: Clock): CheckBudget {
  const freeAtMs = new Map<string, number>()
  const rates = new Map<string, number>()
  return {
    async take(accountId, signal) {
      const now = clock.monotonicMs()
      const gapMs = 1_000 / (rates.get(accountId) ?? LIMITS.checksPerSecondFirst)
      // Up to one second's worth of questions may be sent at once.
      const turn = Math.max(freeAtMs.get(accountId) ?? -Infinity, now - 1_000 + gapMs) + gapMs
      freeAtMs.set(accountId, turn)
      if (turn > now) await clock.sleep(turn - now, signal)
    },
    pause(accountId, ms) {
      const until = clock.monotonicMs() + Math.min(ms, LIMITS.retryAfterCapMs)
      freeAtMs.set(accountId, Math.max(freeAtMs.get(accountId) ?? until, until))
    },
    allow(accountId, perSecond) {
      rates.set(accountId, Math.max(LIMITS.checksPerSecondMin, perSecond))
    },
  }
}
