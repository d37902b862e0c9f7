/**
 * When to ask again. There are no webhooks, so these numbers are the product's speed and its
 * appetite.
 *
 * While a shopper waits on screen, checks are as dense as the confirmation is likely. Let h(t) be
 * the chance per second that it comes at age t, given that it has not come yet, and g(t) the gap
 * there. A payment costs one question per gap as long as it lasts, ∫ S/g, and is known half a gap
 * late, ∫ f·g/2, with f = h·S. For a given number of questions the mean delay is least where the
 * gap is proportional to 1/√h(t): checks are spread evenly over ∫√h. Any fixed gap, and any
 * staircase of gaps, asks too often where nothing comes and too seldom where much does.
 * Confirmations are log-normal (`confirmations.ts`): h rises for some ten seconds and then falls
 * for ever, and so do the checks.
 *
 * Never more often than every 2 s, and at first at least every 5 s: the gateway's own advice.
 *
 * With nobody waiting the gaps are a plain list by age: what was checked often while a shopper
 * waited must not count, or a shopper who leaves after five minutes would be checked once a day.
 * Both end: after the last gap the operation is put before a person, it is never called failed.
 */
import { hazardPerSecond, PRIOR, type Confirmations } from "./confirmations"
import { LIMITS } from "./limits"
import { hasEnded, type Operation } from "./operation"

/**
 * Checks for each unit of ∫√h. It trades questions for delay: 0.39 asks less than every 3 s would
 * and knows sooner.
 */
const GAP_SCALE = 0.39
/** Of the integral, in seconds: short against every gap. */
const STEP = 0.25

/** What the next check depends on beside the operation. */
export type Pace = {
  /**
   * Since the last question went out: a gap is from question to question, whatever the answer took.
   */
  readonly askedMs?: number
  /** How long payers take here; the prior where nothing is known. */
  readonly confirmations?: Confirmations
}

/** Milliseconds until the next check of an operation that is not final. */
export function nextCheckInMs(
  operation: Pick<Operation, "waiting" | "submittedAt" | "readAt"> &
    Partial<Pick<Operation, "flow">>,
  fraction: number,
  { askedMs = 0, confirmations = PRIOR }: Pace = {},
): number {
  const submittedAt = operation.submittedAt
  if (operation.waiting && submittedAt) {
    const ageMs = operation.readAt.getTime() - submittedAt.getTime()
    return Math.max(0, dueInMs(waitingGapMs(ageMs, confirmations)) - askedMs)
  }
  const gap = submittedAt
    ? unwatchedGapMs(operation.readAt.getTime() - submittedAt.getTime())
    : LIMITS.collectionChecksMs[0]
  return jittered(operation.flow === "link" ? Math.min(gap, LIMITS.linkCheckCapMs) : gap, fraction)
}

/**
 * The job comes by once a second: what is due half of that early is checked on time, on average.
 */
function dueInMs(gapMs: number): number {
  const early = Math.max(LIMITS.waitingCheckFloorMs, gapMs - LIMITS.checkEveryMs / 2)
  return early - LIMITS.tickSlackMs
}

/** Until the next moment of the list, `ageMs` after the prompt went out. */
export function unwatchedGapMs(ageMs: number): number {
  let momentMs = 0
  for (const gap of LIMITS.collectionChecksMs) {
    momentMs += gap
    const leftMs = momentMs - ageMs
    // A check that jitter brought early was the one of this moment.
    if (leftMs > gap * 2 * LIMITS.checkJitterFraction) return leftMs
  }
  return LIMITS.collectionChecksMs.at(-1) ?? LIMITS.collectionChecksMs[0]
}

/** Milliseconds until the next check after an end, or undefined when the watch is over. */
export function nextWatchInMs(
  state: "failed" | "expired",
  checks: number,
  fraction: number,
): number | undefined {
  const list = state === "failed" ? LIMITS.failedWatchMs : LIMITS.expiredWatchMs
  const gap = list[Math.max(0, checks)]
  return gap === undefined ? undefined : jittered(gap, fraction)
}

/**
 * What is left until the next check of a watch, 0 where that is due. A check before it, because a
 * person or a comparison of books asked, takes nothing of the watch: else a few clicks would end it
 * in a minute.
 */
export function leftOfWatchMs(
  operation: Pick<Operation, "state" | "nextCheckAt" | "readAt">,
): number {
  const { nextCheckAt, readAt } = operation
  if (!hasEnded(operation) || nextCheckAt === null) return 0
  return Math.max(0, nextCheckAt.getTime() - readAt.getTime())
}

/** The gap while a shopper waits, `ageMs` after the prompt went out. */
export function waitingGapMs(ageMs: number, confirmations = PRIOR): number {
  const isEarly = ageMs < LIMITS.waitingEarlyMs
  const capMs = isEarly ? LIMITS.waitingEarlyCapMs : LIMITS.waitingCheckCapMs
  const gap = spacedGap(Math.max(0, ageMs / 1_000), capMs / 1_000, { confirmations })
  return Math.round(Math.max(LIMITS.waitingCheckFloorMs, gap * 1_000))
}

/**
 * The spacing alone, in seconds: the gap over which ∫√h grows by `scale`, at most `cap`. With a cap
 * well above it, twice the scale asks about half as often.
 */
export function spacedGap(
  age: number,
  cap: number,
  { confirmations = PRIOR, scale = GAP_SCALE } = {},
): number {
  let left = scale
  let gap = 0
  while (gap < cap && left > 0) {
    const spread = Math.sqrt(hazardPerSecond(age + gap + STEP / 2, confirmations)) * STEP
    gap += STEP * Math.min(1, left / spread)
    left -= spread
  }
  return Math.min(cap, gap)
}

function jittered(ms: number, fraction: number): number {
  return Math.round(ms * (1 + LIMITS.checkJitterFraction * (2 * fraction - 1)))
}

/** When to ask about a refund again: by its age alone, for no shopper waits on screen for it. */

/** Milliseconds until the next check of a refund that is not final. */
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
    // A check that jitter brought early was the one of this moment.
    if (leftMs > gap * 2 * jitter) return Math.round(leftMs * (1 + jitter * (2 * fraction - 1)))
  }
  return LIMITS.refundAskMs / gaps.length
}
