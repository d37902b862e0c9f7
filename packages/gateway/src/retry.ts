/**
 * Decides when the same request goes out again within one call. Pure: `attempts.ts` has the loop,
 * `classify.ts` says whether a repeat is safe. A call that can't be repeated within its deadline
 * and its caller's patience ends, and the caller comes back later.
 */
import { LIMITS } from "./terms/limits"
import type { Again } from "./classify"

export type Patience = "shopper" | "job"

/**
 * The pause in milliseconds: full jitter over an exponential ceiling, but never below the floor.
 *
 * @param tries how often the request has gone out, from 1
 * @param fraction random, at least 0 and below 1
 */
export function backoffMs(tries: number, fraction: number): number {
  const ceiling = Math.min(LIMITS.backoffCapMs, LIMITS.backoffBaseMs * 2 ** (tries - 1))
  return Math.max(LIMITS.backoffFloorMs, fraction * ceiling)
}

/**
 * Milliseconds to wait after a 401 before a token that was just obtained is used again.
 *
 * @param pauses the number of this pause with the token, from 1
 */
export function youngTokenPauseMs(pauses: number, fraction: number): number {
  const longest = Math.min(LIMITS.tokenPauseCapMs, LIMITS.tokenPauseMs * 2 ** (pauses - 1))
  return (longest * (1 + fraction)) / 2
}

/** Milliseconds to wait before the next try; undefined if there is no further try. */
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
  // A `Retry-After` of zero, or a date that is already past on this clock, still gets the floor.
  const wait =
    again === "wait" && retryAfterMs !== undefined
      ? Math.max(retryAfterMs, LIMITS.backoffFloorMs)
      : backoff
  // No request goes out before the time that the gateway allows. So a wait above the cap is not
  // shortened: the call ends.
  return wait > cap || wait >= situation.remainingMs ? undefined : wait
}

const SECONDS = /^\d+(?:\.\d+)?$/
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, .+ GMT$/

/**
 * The `Retry-After` header in milliseconds from now: seconds, or an HTTP date (0 if past).
 * Undefined for anything else. Not capped.
 *
 * @param date the answer's own `Date` header. It comes from the same clock as a date in
 * `Retry-After`; without it the local clock counts.
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
