/** When to ask about a refund again: by its age alone, for no shopper waits on screen for it. */
import { LIMITS } from "./limits"
import type { Operation } from "./operation"

/** Milliseconds until the next look at a refund that is not final. */
export function nextRefundCheckInMs(
  { submittedAt, readAt }: Pick<Operation, "submittedAt" | "readAt">,
  fraction: number,
): number {
  const gaps = LIMITS.refundChecksMs
  const jitter = LIMITS.checkJitterFraction
  const ageMs = submittedAt ? readAt.getTime() - submittedAt.getTime() : 0
  let momentMs = 0
  for (const gap of gaps) {
    momentMs += gap
    const leftMs = momentMs - ageMs
    // A look that jitter brought early was the one of this moment.
    if (leftMs > gap * 2 * jitter) return Math.round(leftMs * (1 + jitter * (2 * fraction - 1)))
  }
  return LIMITS.refundAskMs / gaps.length
}
