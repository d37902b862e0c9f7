/**
 * When to ask again. There are no webhooks, so these numbers are the product's speed and its cost.
 *
 * While a shopper waits on screen, checks are as dense as the confirmation is likely: by the age of
 * the prompt, never closer than 2 s, and at first at most 5 s apart, which is the gateway's own
 * advice.
 *
 * While no shopper waits, the gaps are a plain list by age. Counted by checks, a payment that a
 * shopper watched for five minutes would be left to one check a day. After the last gap the payment
 * comes into review; it is never failed.
 */
import type { Decision } from "./decide/decision"
import { FLOWS } from "./flows"
import { LIMITS } from "./limits"
import { hasEnded, type Operation } from "./operation"

/**
 * Milliseconds until the next check of an operation that is not final.
 *
 * @param askedMs milliseconds since the last question went out: gaps run from question to question
 */
export function nextCheckInMs(
  operation: Pick<Operation, "flow" | "waiting" | "submittedAt" | "readAt">,
  fraction: number,
  askedMs = 0,
): number {
  const submittedAt = operation.submittedAt
  if (operation.waiting && submittedAt) {
    const ageMs = operation.readAt.getTime() - submittedAt.getTime()
    return Math.max(0, dueInMs(waitingGapMs(ageMs)) - askedMs)
  }
  const gap = submittedAt
    ? unwatchedGapMs(operation.readAt.getTime() - submittedAt.getTime())
    : LIMITS.collectionChecksMs[0]
  return jittered(Math.min(gap, FLOWS[operation.flow].longestGapMs), fraction)
}

/** The job runs once a second: what is due half a second early is checked on time, on average. */
function dueInMs(gapMs: number): number {
  const early = Math.max(LIMITS.waitingCheckFloorMs, gapMs - LIMITS.checkEveryMs / 2)
  return early - LIMITS.tickSlackMs
}

/** The gap while no shopper waits, `ageMs` after the prompt went out. */
export function unwatchedGapMs(ageMs: number): number {
  const gaps = LIMITS.collectionChecksMs
  return leftOf(gaps, ageMs) ?? gaps.at(-1) ?? gaps[0]
}

/** Milliseconds until the next moment of a list of gaps; undefined after the last. */
function leftOf(gaps: readonly number[], ageMs: number): number | undefined {
  let momentMs = 0
  for (const gap of gaps) {
    momentMs += gap
    const leftMs = momentMs - ageMs
    // A check that jitter brought forward was the check of this moment.
    if (leftMs > gap * 2 * LIMITS.checkJitterFraction) return leftMs
  }
  return undefined
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
 * Milliseconds until the next check of a watch; 0: it is due. An earlier check, for an admin or a
 * comparison, uses up nothing of the watch: else a few clicks would end it in a minute.
 */
function leftOfWatchMs(operation: Pick<Operation, "state" | "nextCheckAt" | "readAt">): number {
  const { nextCheckAt, readAt } = operation
  if (!hasEnded(operation) || nextCheckAt === null) return 0
  return Math.max(0, nextCheckAt.getTime() - readAt.getTime())
}

/**
 * Milliseconds until the next check of a failed payment whose shopper is still on the page;
 * undefined after the last. A moment that has passed is over, even if the gateway did not answer: a
 * page that keeps asking must not keep the job asking.
 */
export function failedOnScreenInMs({
  state,
  failedAt,
  readAt,
}: Pick<Operation, "state" | "failedAt" | "readAt">): number | undefined {
  if (state !== "failed" || failedAt === null) return undefined
  const ageMs = readAt.getTime() - failedAt.getTime() - LIMITS.failedSecondCheckMs
  const moment = LIMITS.failedOnScreenMs.find((ms) => ms > ageMs)
  return moment === undefined ? undefined : moment - ageMs
}

/** The gap while a shopper waits, `ageMs` after the prompt went out. */
export function waitingGapMs(ageMs: number): number {
  const steps = LIMITS.waitingChecksMs
  const step = steps.find(({ untilMs }) => ageMs < untilMs) ?? steps.at(-1)
  return step?.gapMs ?? LIMITS.waitingCheckFloorMs
}

function jittered(ms: number, fraction: number): number {
  return Math.round(ms * (1 + LIMITS.checkJitterFraction * (2 * fraction - 1)))
}

/**
 * Milliseconds until the next check of money that goes back or out and is not final: by its age
 * alone, because no shopper waits on screen for it.
 */
export function nextRefundCheckInMs(
  { submittedAt, readAt }: Pick<Operation, "submittedAt" | "readAt">,
  fraction: number,
): number {
  const ageMs = submittedAt ? readAt.getTime() - submittedAt.getTime() : 0
  const leftMs = leftOf(LIMITS.refundChecksMs, ageMs)
  if (leftMs === undefined) return LIMITS.refundAskMs / LIMITS.refundChecksMs.length
  return jittered(leftMs, fraction)
}

/** Milliseconds until the next check of an operation under way, by the kind of money. */
type NextCheckMs = (operation: Operation, fraction: number, askedMs: number) => number

/**
 * When a decided operation is checked again, and whether that check uses up one of the schedule's.
 *
 * @param roll gives a number from 0 to 1; called only where a gap is spread
 * @returns `inMs` undefined: never again
 */
export function nextOf(
  operation: Operation,
  decision: Decision,
  nextCheckMs: NextCheckMs,
  askedMs: number,
  roll: () => number,
): { readonly inMs: number | undefined; readonly isCounted: boolean } {
  const { next } = decision
  const leftMs = leftOfWatchMs(operation)
  if (next.kind === "watch" && decision.event === undefined && leftMs > 0) {
    return { inMs: Math.min(leftMs, next.atMostMs ?? leftMs), isCounted: false }
  }
  const fraction = roll()
  const inMs = nextInMs(operation, decision, fraction, () =>
    nextCheckMs(operation, fraction, askedMs),
  )
  if (next.kind !== "watch" || next.atMostMs === undefined) {
    return { inMs, isCounted: next.kind !== "in" }
  }
  const isSooner = inMs === undefined || next.atMostMs < inMs
  return isSooner ? { inMs: next.atMostMs, isCounted: false } : { inMs, isCounted: true }
}

function nextInMs(
  operation: Operation,
  { next, event }: Decision,
  fraction: number,
  nextCheckMs: () => number,
): number | undefined {
  switch (next.kind) {
    case "now":
      return 0
    case "in":
      return next.ms
    case "schedule":
      if (hasEnded(operation) || event === "doubt" || event === "complete") return undefined
      return nextCheckMs()
    case "watch":
      if (event === "fail") return nextWatchInMs("failed", 0, fraction)
      if (event === "expire") return nextWatchInMs("expired", 0, fraction)
      if (operation.state === "failed" || operation.state === "expired") {
        return nextWatchInMs(operation.state, operation.checks + 1, fraction)
      }
      return nextCheckMs()
  }
}
