import type { AccountId } from "../core/ids"
import { LIMITS } from "../core/limits"
import type { Clock } from "../core/ports"
import type { CheckBudget, FlowDeps } from "../engine/deps"

/**
 * Spreads this process's questions to the gateway over time: each account has a bucket that refills
 * at the account's bound, and is paused while the gateway asks for it. The grants limit the number
 * of questions; without this budget a pass would send them in one burst.
 */
export function checkBudget(
  clock: Clock,
  accounts: Pick<FlowDeps, "accounts">["accounts"],
): CheckBudget {
  const freeAtMs = new Map<string, number>()
  const pausedUntilMs = new Map<string, number>()
  const bound = async (accountId: AccountId) => {
    const account = (await accounts()).find(({ id }) => id === accountId)
    return account?.checksPerSecondMax ?? LIMITS.checksPerSecondMax
  }
  const laterOf = (times: Map<string, number>, accountId: AccountId, other: number) =>
    Math.max(times.get(accountId) ?? other, other)
  return {
    async take(accountId, signal) {
      const gapMs = 1_000 / (await bound(accountId))
      const now = clock.monotonicMs()
      // Up to one second's worth of questions may be sent at once.
      const turn = laterOf(freeAtMs, accountId, now - 1_000 + gapMs) + gapMs
      freeAtMs.set(accountId, turn)
      if (turn > now) await clock.sleep(turn - now, signal)
    },
    pause(accountId, ms) {
      const until = clock.monotonicMs() + Math.min(ms, LIMITS.retryAfterCapMs)
      for (const times of [freeAtMs, pausedUntilMs]) {
        times.set(accountId, laterOf(times, accountId, until))
      }
    },
    isPaused: (accountId) => (pausedUntilMs.get(accountId) ?? -Infinity) > clock.monotonicMs(),
  }
}
