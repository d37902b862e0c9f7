/**
 * Limits how often each key may act: `atOnce` times in a row, then once every `earnedBackMs`. It
 * counts in this process only and in bounded memory: above `keysMax`, the key used longest ago is
 * forgotten and starts again with its full allowance.
 */
import type { Clock } from "../../core/ports"
import { RecentMap } from "./recent-map"

type Allowance = {
  /** Milliseconds until the key may act; 0: it may act now. */
  waitMs(key: string): number
  spend(key: string): void
}

/** What a key had left of its allowance at `atMs` of the monotonic clock. */
type Credit = { readonly left: number; readonly atMs: number }

export function allowance(
  clock: Pick<Clock, "monotonicMs">,
  limits: { readonly atOnce: number; readonly earnedBackMs: number; readonly keysMax: number },
): Allowance {
  const credits = new RecentMap<Credit>(limits.keysMax)

  function leftOf(key: string): number {
    const credit = credits.get(key)
    if (!credit) return limits.atOnce
    const earned = (clock.monotonicMs() - credit.atMs) / limits.earnedBackMs
    return Math.min(limits.atOnce, credit.left + earned)
  }

  return {
    waitMs(key) {
      const missing = 1 - leftOf(key)
      return missing <= 0 ? 0 : Math.ceil(missing * limits.earnedBackMs)
    },
    spend(key) {
      credits.set(key, { left: Math.max(0, leftOf(key) - 1), atMs: clock.monotonicMs() })
    },
  }
}
