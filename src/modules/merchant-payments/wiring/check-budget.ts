import { LIMITS } from "../../../core/limits"
import type { Clock } from "../../../core/ports"
import type { CheckBudget } from "../../../flows/deps"

/**
 * At most so many questions a second per account from this process, as a bucket that refills steadily,
 * and none while the gateway has asked for a pause.
 */
export function checkBudget(clock: Clock): CheckBudget {
  const freeAtMs = new Map<string, number>()
  const gapMs = 1_000 / LIMITS.checksPerSecondMax
  return {
    async take(accountId, signal) {
      const now = clock.monotonicMs()
      // Up to one second's worth may go out at once.
      const turn = Math.max(freeAtMs.get(accountId) ?? 0, now - 1_000 + gapMs) + gapMs
      freeAtMs.set(accountId, turn)
      if (turn > now) await clock.sleep(turn - now, signal)
    },
    pause(accountId, ms) {
      const until = clock.monotonicMs() + Math.min(ms, LIMITS.retryAfterCapMs)
      freeAtMs.set(accountId, Math.max(freeAtMs.get(accountId) ?? 0, until))
    },
  }
}
