import { LIMITS } from "../core/limits"
import type { Clock } from "../core/ports"
import type { CallOptions } from "../gateway"

/** How long a shopper who waits for an answer still waits. */
export type ShopperTime = {
  /** Milliseconds until the shopper must have an answer; below 0 once it is over. */
  remainingMs(): number
  /** Options of a gateway call: the time that is left, but `LIMITS.shortestCallMs` at least. */
  callOptions(): CallOptions
}

/** @param startedMs when the shopper began to wait, by the monotonic clock */
export function shopperTime(clock: Clock, startedMs = clock.monotonicMs()): ShopperTime {
  const remainingMs = () => LIMITS.shopperBudgetMs - (clock.monotonicMs() - startedMs)
  return {
    remainingMs,
    callOptions: () => ({
      patience: "shopper",
      deadlineMs: Math.max(LIMITS.shortestCallMs, Math.min(LIMITS.recordDeadlineMs, remainingMs())),
    }),
  }
}
