/**
 * How often each key may do something: so often at once, and then once in so long. In this process
 * alone and in bounded memory; the key used longest ago is forgotten first, and begins anew.
 */
import type { Clock } from "../../core/ports"
import { RecentMap } from "./recent-map"

type Allowance = {
  /** Milliseconds until the key may; 0: now. */
  waitMs(key: string): number
  spend(key: string): void
}

/** What is left of it, at a moment of the monotonic clock. */
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

/** Takes one of each, or nothing. @returns milliseconds until all of them may; 0: taken */
export function takeOfAll(...asked: readonly (readonly [of: Allowance, key: string])[]): number {
  const waitMs = Math.max(...asked.map(([of, key]) => of.waitMs(key)))
  if (waitMs === 0) for (const [of, key] of asked) of.spend(key)
  return waitMs
}
