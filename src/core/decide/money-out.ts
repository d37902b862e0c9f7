/**
 * Money that goes out, from what the gateway says of its execution: what a refund and a payout
 * share. Pure, like `decide`, over the same machine.
 *
 * What was sent may still arrive. It surely did not when the gateway said FAILED twice, when it
 * took no sending and knows no such reference, or when its session is over, so that nothing can be
 * executed with it any more, and five more minutes say 404. After days of silence an admin decides.
 *
 * There is no second witness: no document of the gateway's says that money went out.
 */
import { LIMITS } from "../limits"
import type { EventCode } from "../messages"
import { END_REASONS, type EndReason, type Operation, type ReviewReason } from "../operation"
import { age, SCHEDULE, unanswered, WATCH, type Decision, type ExecutionFinding } from "./decision"

/** What differs between a refund and a payout. */
export type MoneyOut = {
  /** Of money that went after its end. */
  readonly late: ReviewReason
  /** It surely did not go, and is not sent again: one 404, and it is over. */
  readonly isEndedBy404: (operation: Operation) => boolean
  /** 404 that does not end it, before its session is over. */
  readonly whileAbsent: (operation: Operation) => Decision
}

/** @param finding undefined: the gateway was not asked */
export function decideMoneyOut(
  operation: Operation,
  finding: ExecutionFinding | undefined,
  money: MoneyOut,
): Decision {
  const notAsked: Decision = { next: SCHEDULE, code: "not_asked" }
  switch (operation.state) {
    case "submitted":
    case "in_flight":
      return orGiveUp(operation, finding ? decideOpen(operation, finding, money) : notAsked)
    case "failed":
    case "expired":
      return finding ? decideEnded(operation, finding, money) : { ...notAsked, next: WATCH }
    case "drafted":
    case "completed":
    case "review":
      return { next: SCHEDULE, code: "not_asked" }
  }
}

/**
 * Nothing is asked for ever; what is not known by then stays counted as gone, and an admin decides.
 */
export function orGiveUp(operation: Operation, decision: Decision): Decision {
  const isOver = age(operation, operation.submittedAt) >= LIMITS.refundAskMs
  if (decision.event !== undefined || decision.action !== undefined || !isOver) return decision
  return { event: "doubt", reason: "no_answer", next: SCHEDULE, code: "no_final_answer" }
}

/** It is known there: an earlier 404 or FAILED was not the last word. */
export function onItsWay(code: EventCode): Decision {
  return { marks: { absent: false, failed: false }, next: SCHEDULE, code }
}

function decideOpen(operation: Operation, finding: ExecutionFinding, money: MoneyOut): Decision {
  if (finding.kind === "absent") return decideAbsent(operation, money)
  if (finding.kind !== "seen") return unanswered(finding)
  if (finding.status === "COMPLETED") {
    return { event: "complete", next: SCHEDULE, code: "arrived" }
  }
  if (finding.status === "FAILED") return decideFailed(operation, finding.failure ?? "unknown")
  const seen = onItsWay("execution_reads")
  return operation.state === "submitted" ? { ...seen, event: "see" } : seen
}

function decideFailed(operation: Operation, reason: EndReason): Decision {
  if (operation.failedAt === null) {
    return {
      reason,
      marks: { failed: true, absent: false },
      next: { kind: "in", ms: LIMITS.failedSecondCheckMs },
      code: "failed_once",
    }
  }
  const leftMs = LIMITS.failedSecondCheckMs - age(operation, operation.failedAt)
  if (leftMs > 0) {
    return { reason, next: { kind: "in", ms: leftMs }, code: "failed_once" }
  }
  return { event: "fail", reason, next: WATCH, code: "failed_twice" }
}

/** 404 for our reference. */
function decideAbsent(operation: Operation, money: MoneyOut): Decision {
  if (operation.state === "in_flight" || operation.lastSending === "accepted") {
    return { next: SCHEDULE, code: "known_before" }
  }
  if (money.isEndedBy404(operation)) {
    return {
      event: "expire",
      reason: END_REASONS.find((known) => known === operation.reason) ?? "never_landed",
      next: WATCH,
      code: operation.lastSending === "refused" ? "gateway_refused" : "never_landed",
    }
  }
  const isOver = operation.expiresAt.getTime() <= operation.readAt.getTime()
  return isOver ? decideAfterSession(operation) : money.whileAbsent(operation)
}

/**
 * Its session is over: what was sent has landed or never will, and the gateway gets time to tell.
 */
function decideAfterSession(operation: Operation): Decision {
  const { absentAt, expiresAt } = operation
  // A 404 from before the end proves nothing: the call may have arrived after it.
  if (absentAt === null || absentAt.getTime() < expiresAt.getTime()) {
    return {
      marks: { absent: "anew" },
      next: { kind: "in", ms: LIMITS.refundAbsentMs },
      code: "not_known",
    }
  }
  const leftMs = LIMITS.refundAbsentMs - age(operation, absentAt)
  if (leftMs > 0) return { next: { kind: "in", ms: leftMs }, code: "not_known" }
  return {
    event: "expire",
    reason: "never_landed",
    next: WATCH,
    code: "never_landed",
  }
}

/** After an end: a person was told that nothing went, and may have given or paid it once more. */
function decideEnded(operation: Operation, finding: ExecutionFinding, money: MoneyOut): Decision {
  const { late } = money
  if (finding.kind === "seen" && finding.status === "COMPLETED") {
    return { event: "complete", reason: late, next: SCHEDULE, code: "arrived_after_end" }
  }
  const isWatched = age(operation, operation.createdAt) < LIMITS.watchForMs
  const again = { kind: "in", ms: LIMITS.watchRetryMs } as const
  if (finding.kind === "seen" && finding.status !== "FAILED") {
    // The watch does not run out over it, and no document would tell of it later.
    const code = "execution_reads"
    return isWatched
      ? { next: again, code }
      : { event: "doubt", reason: late, next: SCHEDULE, code }
  }
  const wasAnswered = finding.kind === "seen" || finding.kind === "absent"
  if (wasAnswered || !isWatched) return { next: WATCH, code: "still_ended" }
  return { next: again, code: "no_answer" }
}
