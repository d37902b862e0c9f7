/**
 * A refund, from what the gateway says of its execution. Pure, like `decide`, over the same machine.
 *
 * What is not known stays reserved: a refund frees its part of the payment only when the gateway said
 * FAILED twice, or when it can't land any more. It can't once its session is over: nothing is executed
 * with it then, and 404 for some minutes after that says that nothing was. Until then the same reference
 * may be sent again, and what was sent may still arrive.
 *
 * There is no second witness: the source of a refunded payment stays `PAID`. What the execution itself says
 * of its amounts is all there is: where they can't be the asked ones, the refund is not called on its way,
 * and once the money has moved a person looks.
 */
import { age, SCHEDULE, unanswered, WATCH, type Decision, type ExecutionLook } from "./decision"
import { LIMITS } from "./limits"
import { END_REASONS, type EndReason, type Operation } from "./operation"

/** @param look undefined: the gateway was not asked */
export function decideRefund(operation: Operation, look: ExecutionLook | undefined): Decision {
  switch (operation.state) {
    case "submitted":
    case "in_flight":
      return orGiveUp(operation, look ? decideOpen(operation, look) : notAsked)
    case "failed":
    case "expired":
      return look ? decideEnded(operation, look) : { ...notAsked, next: WATCH }
    case "drafted":
    case "completed":
    case "review":
      return { next: SCHEDULE, why: `nothing to ask for while ${operation.state}` }
  }
}

const notAsked: Decision = { next: SCHEDULE, why: "the refund was not asked for" }

const OTHER_AMOUNT_WENT =
  "the gateway says that money went back, but not the amount that was asked for"

function decideOpen(operation: Operation, look: ExecutionLook): Decision {
  if (look.kind === "absent") return decideAbsent(operation)
  if (look.kind !== "seen") return unanswered(look, "status of the refund")
  if (look.status === "COMPLETED") {
    return look.isOtherAmount
      ? { event: "doubt", reason: "amount_mismatch", next: SCHEDULE, why: OTHER_AMOUNT_WENT }
      : { event: "complete", next: SCHEDULE, why: "the gateway says that the money went back" }
  }
  if (look.status === "FAILED") return decideFailed(operation, look.failure ?? "unknown")
  const seen: Decision = {
    marks: { absent: false, failed: false },
    next: SCHEDULE,
    why: `the gateway reports the refund as ${look.status}`,
  }
  // It is followed to its end all the same; but who asked for it is not told that it is on its way.
  if (look.isOtherAmount) return { ...seen, why: `${seen.why}, of another amount than asked for` }
  return operation.state === "submitted" ? { ...seen, event: "see" } : seen
}

function decideFailed(operation: Operation, reason: EndReason): Decision {
  if (operation.failedAt === null) {
    return {
      reason,
      marks: { failed: true, absent: false },
      next: { kind: "in", ms: LIMITS.failedSecondLookMs },
      why: "the gateway reports the refund as FAILED; looking a second time before believing it",
    }
  }
  const leftMs = LIMITS.failedSecondLookMs - age(operation, operation.failedAt)
  if (leftMs > 0) {
    return { reason, next: { kind: "in", ms: leftMs }, why: "FAILED again, too soon to believe it" }
  }
  return { event: "fail", reason, next: WATCH, why: "the gateway reported the refund FAILED twice" }
}

/** 404 for our reference. Ask, then send the same one again; never make a second. */
function decideAbsent(operation: Operation): Decision {
  const { lastSending, absentAt, expiresAt, readAt } = operation
  if (operation.state === "in_flight" || lastSending === "accepted") {
    return { next: SCHEDULE, why: "accepted once, and not known there now: it may come back" }
  }
  if (lastSending === "refused" && operation.sendings === 1) {
    return {
      event: "expire",
      reason: END_REASONS.find((known) => known === operation.reason) ?? "never_landed",
      next: WATCH,
      why: "the gateway refused the first sending and knows no such refund",
    }
  }
  const isOver = expiresAt.getTime() <= readAt.getTime()
  if (isOver) return decideAfterSession(operation)
  const confirmLeftMs =
    lastSending === "not_sent"
      ? 0
      : LIMITS.absentConfirmAfterMs - (absentAt ? age(operation, absentAt) : 0)
  const gapMs = lastSending === "not_sent" ? LIMITS.waitingCheckFloorMs : LIMITS.resendEveryMs
  const waitMs = Math.max(confirmLeftMs, gapMs - age(operation, operation.lastSentAt))
  if (waitMs <= 0) {
    return { action: "resend", next: SCHEDULE, why: "not known there; the same reference again" }
  }
  return {
    ...(absentAt ? {} : { marks: { absent: true } }),
    next: { kind: "in", ms: Math.max(LIMITS.waitingCheckFloorMs, waitMs) },
    why: "the gateway does not know the reference yet",
  }
}

/** Its session is over: what was sent has landed or never will, and the gateway gets time to tell. */
function decideAfterSession(operation: Operation): Decision {
  const { absentAt, expiresAt } = operation
  // A 404 from before the end proves nothing: the call may have arrived after it.
  if (absentAt === null || absentAt.getTime() < expiresAt.getTime()) {
    return {
      marks: { absent: true },
      next: { kind: "in", ms: LIMITS.refundAbsentMs },
      why: "its session is over, and the gateway does not know the reference",
    }
  }
  const leftMs = LIMITS.refundAbsentMs - age(operation, absentAt)
  if (leftMs > 0) return { next: { kind: "in", ms: leftMs }, why: "still not known there" }
  return {
    event: "expire",
    reason: "never_landed",
    next: WATCH,
    why: "its session is over, and the gateway has not known the reference since",
  }
}

/** After an end: money that went back all the same is more than the ledger counts, and for a person. */
function decideEnded(operation: Operation, look: ExecutionLook): Decision {
  if (look.kind === "seen" && look.status === "COMPLETED") {
    return {
      event: "complete",
      reason: "late_refund",
      next: SCHEDULE,
      why: "the money went back after the refund had ended",
    }
  }
  const isWatched = age(operation, operation.createdAt) < LIMITS.watchForMs
  if (look.kind === "seen" && look.status !== "FAILED") return decideRevived(look.status, isWatched)
  const wasAnswered = look.kind === "seen" || look.kind === "absent"
  if (wasAnswered || !isWatched) return { next: WATCH, why: "nothing went back after the end" }
  return {
    next: { kind: "in", ms: LIMITS.watchRetryMs },
    why: "no answer after the end; asked again",
  }
}

/** On its way after its end: the watch does not run out over it, and no document would tell of it later. */
function decideRevived(status: string, isWatched: boolean): Decision {
  const why = `the gateway reports the refund as ${status} after its end`
  return isWatched
    ? { next: { kind: "in", ms: LIMITS.watchRetryMs }, why }
    : { event: "doubt", reason: "late_refund", next: SCHEDULE, why }
}

/** Nothing is asked for ever; what is not known by then stays reserved, and a person looks. */
function orGiveUp(operation: Operation, decision: Decision): Decision {
  const isOver = age(operation, operation.submittedAt) >= LIMITS.refundAskMs
  if (decision.event !== undefined || decision.action !== undefined || !isOver) return decision
  return {
    event: "doubt",
    reason: "no_answer",
    next: SCHEDULE,
    why: `no final answer after ${operation.checks} looks; the last: ${decision.why}`,
  }
}
