/**
 * While no token can be had, a shopper is told at once instead of after a deadline. One try every few
 * seconds still goes through, so that the first success ends it, also with no live operation to check.
 */
import { LIMITS } from "../../core/limits"
import type { Clock } from "../../core/ports"
import type { Gateway } from "../../gateway"

const lastTryMs = new WeakMap<Gateway, number>()

export function isTokenHopeless(gateway: Gateway, clock: Clock): boolean {
  if (gateway.token.failures < LIMITS.tokenFailuresBeforeRefusal) return false
  const now = clock.monotonicMs()
  const last = lastTryMs.get(gateway)
  if (last !== undefined && now - last < LIMITS.breakerRetryMs) return true
  lastTryMs.set(gateway, now)
  return false
}
