/**
 * When the same request goes out again within one call. Pure: the loop is in `attempts.ts`, whether a
 * repeat is safe at all says `classify.ts`. Long waits are not made here: a call that can't be repeated
 * within its deadline and its caller's patience ends, and the caller comes back later.
 */
import { LIMITS } from "../core/limits"
import type { Again } from "./classify"

export type Patience = "shopper" | "job"

/**
 * Full jitter over an exponential ceiling, never below the floor (a pause of nothing is no pause).
 *
 * @param tries how often the request has gone out, from 1
 * @param fraction random, at least 0 and below 1
 */
export function backoffMs(tries: number, fraction: number): number {
  const ceiling = Math.min(LIMITS.backoffCapMs, LIMITS.backoffBaseMs * 2 ** (tries - 1))
  return Math.max(LIMITS.backoffFloorMs, fraction * ceiling)
}

/** Milliseconds to wait before the next try, or undefined: this was the last one. */
export function waitBeforeNextTry(situation: {
  readonly again: Again
  /** How often the request has gone out, from 1. */
  readonly tries: number
  readonly triesMax: number
  readonly retryAfterMs: number | undefined
  readonly patience: Patience
  readonly remainingMs: number
  readonly fraction: number
}): number | undefined {
  const { again, tries, retryAfterMs } = situation
  if (again === "no" || tries >= situation.triesMax) return undefined
  const backoff = backoffMs(tries, situation.fraction)
  const cap =
    situation.patience === "shopper" ? LIMITS.retryAfterShopperCapMs : LIMITS.retryAfterCapMs
  // "At once" is no pause either, and a date on a clock a little behind ours is as good as now.
  const wait =
    again === "wait" && retryAfterMs !== undefined
      ? Math.max(retryAfterMs, LIMITS.backoffFloorMs)
      : backoff
  // Later than the gateway allows never, so a wait above the cap is not shortened but not made.
  return wait > cap || wait >= situation.remainingMs ? undefined : wait
}

const SECONDS = /^\d+(?:\.\d+)?$/
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, .+ GMT$/

/**
 * The `Retry-After` header in milliseconds from now: seconds, or an HTTP date (in the past: 0). Undefined
 * for anything else. Not capped.
 *
 * @param date the answer's own `Date`: it is of the same clock as a date in `Retry-After`, which may be
 *   far from ours. Ours counts where there is none.
 */
export function retryAfterMs(
  header: string | undefined,
  now: Date,
  date?: string,
): number | undefined {
  const text = header?.trim()
  if (!text) return undefined
  if (SECONDS.test(text)) return Math.min(Number(text) * 1_000, Number.MAX_SAFE_INTEGER)
  const at = momentMs(text)
  return at === undefined ? undefined : Math.max(0, at - (momentMs(date?.trim()) ?? now.getTime()))
}

function momentMs(text: string | undefined): number | undefined {
  const at = text && HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}
