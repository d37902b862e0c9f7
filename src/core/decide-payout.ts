/**
 * A payout or a transfer, from what the gateway says of its execution. Pure, like `decide`, over the
 * same machine.
 *
 * Nothing is ever sent a second time: a payout needs a passcode that is kept nowhere, and a person can
 * make a new one once the old one surely did not go. It surely did not when the gateway said FAILED
 * twice; when it refused, or never heard, the only sending and knows no such reference; or when its
 * session is over, so that nothing can be executed with it any more, and five more minutes say 404.
 * Until then what was sent may still arrive, and after days of silence a person looks.
 *
 * There is no second witness: no document of the gateway's says that money went out.
 */
import { age, SCHEDULE, unanswered, WATCH, type Decision, type ExecutionLook } from "./decision"
import { LIMITS } from "./limits"
import { END_REASONS, type EndReason, type Operation } from "./operation"

/** @param look undefined: the gateway was not asked */
export function decidePayout(operation: Operation, look: ExecutionLook | undefined): Decision {
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

const notAsked: Decision = { next: SCHEDULE, why: "the money was not asked for" }

function decideOpen(operation: Operation, look: ExecutionLook): Decision {
  if (look.kind === "absent") return decideAbsent(operation)
  if (look.kind !== "seen") return unanswered(look, "status of the money")
  if (look.status === "COMPLETED") {
    return { event: "complete", next: SCHEDULE, why: "the gateway says that the money has moved" }
  }
  if (look.status === "FAILED") return decideFailed(operation, look.failure ?? "unknown")
  const seen: Decision = {
    marks: { absent: false, failed: false },
    next: SCHEDULE,
    why: `the gateway reports it as ${look.status}`,
  }
  return operation.state === "submitted" ? { ...seen, event: "see" } : seen
}

function decideFailed(operation: Operation, reason: EndReason): Decision {
  if (operation.failedAt === null) {
    return {
      reason,
      marks: { failed: true, absent: false },
      next: { kind: "in", ms: LIMITS.failedSecondLookMs },
      why: "the gateway reports it as FAILED; looking a second time before believing it",
    }
  }
  const leftMs = LIMITS.failedSecondLookMs - age(operation, operation.failedAt)
  if (leftMs > 0) {
    return { reason, next: { kind: "in", ms: leftMs }, why: "FAILED again, too soon to believe it" }
  }
  return { event: "fail", reason, next: WATCH, why: "the gateway reported it FAILED twice" }
}

/** 404 for our reference. It is asked for again, never sent again. */
function decideAbsent(operation: Operation): Decision {
  const { lastSending, absentAt, expiresAt, readAt } = operation
  if (operation.state === "in_flight" || lastSending === "accepted") {
    return { next: SCHEDULE, why: "accepted once, and not known there now: it may come back" }
  }
  if (lastSending === "refused" || lastSending === "not_sent") {
    const known = END_REASONS.find((reason) => reason === operation.reason)
    return {
      event: "expire",
      reason: known ?? "never_landed",
      next: WATCH,
      why: "the only sending was refused, or never left, and the gateway knows no such reference",
    }
  }
  const leftMs = expiresAt.getTime() - readAt.getTime()
  if (leftMs > 0) {
    return { next: SCHEDULE, why: "the gateway does not know the reference yet" }
  }
  // A 404 from before the end proves nothing: the call may have arrived after it.
  if (absentAt === null || absentAt.getTime() < expiresAt.getTime()) {
    return {
      marks: { absent: true },
      next: { kind: "in", ms: LIMITS.refundAbsentMs },
      why: "its session is over, and the gateway does not know the reference",
    }
  }
  const waitMs = LIMITS.refundAbsentMs - age(operation, absentAt)
  if (waitMs > 0) return { next: { kind: "in", ms: waitMs }, why: "still not known there" }
  return {
    event: "expire",
    reason: "never_landed",
    next: WATCH,
    why: "its session is over, and the gateway has not known the reference since",
  }
}

/** After an end: a person was told that nothing went, and may have paid once more. */
function decideEnded(operation: Operation, look: ExecutionLook): Decision {
  if (look.kind === "seen" && look.status === "COMPLETED") {
    return {
      event: "complete",
      reason: "late_payout",
      next: SCHEDULE,
      why: "the money went out after it had been called ended",
    }
  }
  const isWatched = age(operation, operation.createdAt) < LIMITS.watchForMs
  if (look.kind === "seen" && look.status !== "FAILED") return decideRevived(look.status, isWatched)
  const wasAnswered = look.kind === "seen" || look.kind === "absent"
  if (wasAnswered || !isWatched) return { next: WATCH, why: "nothing went out after the end" }
  return {
    next: { kind: "in", ms: LIMITS.watchRetryMs },
    why: "no answer after the end; asked again",
  }
}

/** On its way after its end: the watch does not run out over it, and no document would tell of it later. */
function decideRevived(status: string, isWatched: boolean): Decision {
  const why = `the gateway reports it as ${status} after the end`
  return isWatched
    ? { next: { kind: "in", ms: LIMITS.watchRetryMs }, why }
    : { event: "doubt", reason: "late_payout", next: SCHEDULE, why }
}

/** Nothing is asked for ever; what is not known by then is put before a person. */
function orGiveUp(operation: Operation, decision: Decision): Decision {
  const isOver = age(operation, operation.submittedAt) >= LIMITS.refundAskMs
  if (decision.event !== undefined || !isOver) return decision
  return {
    event: "doubt",
    reason: "no_answer",
    next: SCHEDULE,
    why: `no final answer after ${operation.checks} looks; the last: ${decision.why}`,
  }
}
