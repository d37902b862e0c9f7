/**
 * When to ask again. There are no webhooks, so these numbers are the product's speed and its appetite.
 *
 * While a shopper waits on screen the gaps follow the chance that the confirmation comes just now. For
 * confirmations that are log-normal (median 25 s, 95% within 4 min), the hazard rate h(t) peaks early
 * and then falls; for a given number of questions the mean delay is least when the gap is proportional
 * to 1 / sqrt(h(t)). The floor of 2 s is the gateway's own advice.
 *
 * With nobody waiting the gaps are a plain list by age: what was looked at often while a shopper waited
 * must not count, or a shopper who leaves after five minutes would be looked at once a day. Both end:
 * after the last gap the operation is put before a person, it is never called failed.
 */
import { LIMITS } from "./limits"
import type { Operation } from "./operation"

/** log-normal: ln(25 s), and the sigma that puts 95% under 240 s */
const CONFIRMATION_MU = Math.log(25)
const CONFIRMATION_SIGMA = (Math.log(240) - CONFIRMATION_MU) / 1.6449
/** Chosen so that the mean delay is about 1.7 s at about 18 questions a payment. */
const GAP_SCALE = 0.38

/** Milliseconds until the next look at an operation that is not final. */
export function nextCheckInMs(
  operation: Pick<Operation, "waiting" | "submittedAt" | "readAt">,
  fraction: number,
): number {
  const submittedAt = operation.submittedAt
  if (operation.waiting && submittedAt) {
    return waitingGapMs(operation.readAt.getTime() - submittedAt.getTime())
  }
  const gap = submittedAt
    ? unwatchedGapMs(operation.readAt.getTime() - submittedAt.getTime())
    : LIMITS.collectionChecksMs[0]
  return jittered(gap, fraction)
}

/** Until the next moment of the list, `ageMs` after the prompt went out. */
export function unwatchedGapMs(ageMs: number): number {
  let momentMs = 0
  for (const gap of LIMITS.collectionChecksMs) {
    momentMs += gap
    const leftMs = momentMs - ageMs
    // A look that jitter brought early was the one of this moment.
    if (leftMs > gap * 2 * LIMITS.checkJitterFraction) return leftMs
  }
  return LIMITS.collectionChecksMs.at(-1) ?? LIMITS.collectionChecksMs[0]
}

/** Milliseconds until the next look after an end, or undefined when the watch is over. */
export function nextWatchInMs(
  state: "failed" | "expired",
  checks: number,
  fraction: number,
): number | undefined {
  const list = state === "failed" ? LIMITS.failedWatchMs : LIMITS.expiredWatchMs
  const gap = list[checks]
  return gap === undefined ? undefined : jittered(gap, fraction)
}

/** The gap while a shopper waits, `ageMs` after the prompt went out. */
export function waitingGapMs(ageMs: number): number {
  const seconds = Math.max(1, ageMs / 1_000)
  const gap = (GAP_SCALE / Math.sqrt(hazardPerSecond(seconds))) * 1_000
  return Math.round(Math.max(LIMITS.waitingCheckFloorMs, gap))
}

/** The chance per second that a confirmation comes now, given that it has not come yet. */
export function hazardPerSecond(seconds: number): number {
  const z = (Math.log(seconds) - CONFIRMATION_MU) / CONFIRMATION_SIGMA
  const density = Math.exp((-z * z) / 2) / (seconds * CONFIRMATION_SIGMA * Math.sqrt(2 * Math.PI))
  return density / Math.max(1e-9, normalTail(z))
}

/** 1 - Φ(z), by Abramowitz and Stegun 26.2.17 (error below 7.5e-8). */
function normalTail(z: number): number {
  if (z < 0) return 1 - normalTail(-z)
  const k = 1 / (1 + 0.2316419 * z)
  const poly =
    k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * poly
}

function jittered(ms: number, fraction: number): number {
  return Math.round(ms * (1 + LIMITS.checkJitterFraction * (2 * fraction - 1)))
}
