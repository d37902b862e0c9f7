/**
 * How often each of many may do something: so often at once, and then once in so long. In this process
 * alone and in bounded memory; whoever used it longest ago is forgotten first, and may begin anew.
 */
import type { Clock } from "./ports"

export type Allowance = {
  /** Milliseconds until this one may; 0: now. */
  waitMs(key: string): number
  spend(key: string): void
}

/** What is left of it, at a moment of the monotonic clock. */
type Credit = { readonly left: number; readonly atMs: number }

export function allowance(
  clock: Pick<Clock, "monotonicMs">,
  limits: { readonly atOnce: number; readonly earnedBackMs: number; readonly keysMax: number },
): Allowance {
  const credits = new Map<string, Credit>()

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
      const left = Math.max(0, leftOf(key) - 1)
      // Put in anew, so that the first is the oldest.
      credits.delete(key)
      credits.set(key, { left, atMs: clock.monotonicMs() })
      dropOldest(credits, limits.keysMax)
    },
  }
}

/** Of what was put in in the order of its last use. */
export function dropOldest(kept: Map<string, unknown> | Set<string>, most: number): void {
  if (kept.size <= most) return
  for (const oldest of kept.keys()) {
    kept.delete(oldest)
    return
  }
}
