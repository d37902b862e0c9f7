/**
 * When a 404 for a reference says that nothing landed. One rule for a lost answer and for a refused
 * call: a proxy may deliver a call twice, and the refusal is then of the second, while the status
 * of the first lags.
 */
import { END_REASONS, type EndReason, type Operation } from "../operation"
import { LIMITS } from "../limits"
import { age } from "./decision"

/** How long 404 must go on yet; the whole pause where this is the first. */
export function absenceLeftMs(operation: Operation, pauseMs: number): number {
  return pauseMs - age(operation, operation.absentAt)
}

/** The one sending there was came back refused: it is not sent again, and the end says why. */
export function wasRefused({ lastSending, sendings }: Operation): boolean {
  return lastSending === "refused" && sendings === 1
}

export function absentReason(operation: Operation): EndReason {
  const reason = END_REASONS.find((known) => known === operation.reason)
  return (wasRefused(operation) && reason) || "never_landed"
}

/**
 * Money that goes back or out has no second witness. One more 404 frees it only after the pause, or
 * once its session is over, so that nothing can be executed with it any more.
 */
export function isFreedBy404(operation: Operation): boolean {
  const isSessionOver = operation.expiresAt.getTime() <= operation.readAt.getTime()
  return isSessionOver || absenceLeftMs(operation, LIMITS.absentConfirmAfterMs) <= 0
}
