/**
 * Money that goes out, from what the gateway says of its execution: what a refund and a payout share. Pure,
 * like `decide`, over the same machine.
 *
 * What was sent may still arrive. It surely did not when the gateway said FAILED twice, when it took
 * no sending and knows no such reference, or when its session is over, so that nothing can be executed with
 * it any more, and five more minutes say 404. After days of silence a person looks.
 *
 * There is no second witness: no document of the gateway's says that money went out.
 */
import { age, SCHEDULE, unanswered, WATCH, type Decision, type ExecutionLook } from "./decision"
import { LIMITS } from "./limits"
import { END_REASONS, type EndReason, type Operation, type ReviewReason } from "./operation"

/** What differs between a refund and a payout: its words, and what may be done while its session is open. */
export type MoneyOut = {
  /** Of money that went after its end. */
  readonly late: ReviewReason
  /** It surely did not go, and is not sent again: one 404, and it is over. */
  readonly isEndedBy404: (operation: Operation) => boolean
  /** 404 that does not end it, before its session is over. */
  readonly whileAbsent: (operation: Operation) => Decision
  readonly words: {
    readonly notAsked: string
    /** What the gateway was asked for. */
    readonly asked: string
    readonly moved: string
    readonly failedOnce: string
    readonly failedTwice: string
    readonly endedBy404: string
    readonly movedLate: string
    readonly nothingLate: string
  }
  /** On its way, in the gateway's own word: before its end, and after it. */
  readonly reports: (status: string) => { readonly open: string; readonly late: string }
}

/** @param look undefined: the gateway was not asked */
export function decideMoneyOut(
  operation: Operation,
  look: ExecutionLook | undefined,
  money: MoneyOut,
): Decision {
  const notAsked: Decision = { next: SCHEDULE, why: money.words.notAsked }
  switch (operation.state) {
    case "submitted":
    case "in_flight":
      return orGiveUp(operation, look ? decideOpen(operation, look, money) : notAsked)
    case "failed":
    case "expired":
      return look ? decideEnded(operation, look, money) : { ...notAsked, next: WATCH }
    case "drafted":
    case "completed":
    case "review":
      return { next: SCHEDULE, why: `nothing to ask for while ${operation.state}` }
  }
}

/** Nothing is asked for ever; what is not known by then stays counted as gone, and a person looks. */
export function orGiveUp(operation: Operation, decision: Decision): Decision {
  const isOver = age(operation, operation.submittedAt) >= LIMITS.refundAskMs
  if (decision.event !== undefined || decision.action !== undefined || !isOver) return decision
  return {
    event: "doubt",
    reason: "no_answer",
    next: SCHEDULE,
    why: `no final answer after ${operation.checks} looks; the last: ${decision.why}`,
  }
}

/** It is known there: an earlier 404 or FAILED was not the last word. */
export function onItsWay(why: string): Decision {
  return { marks: { absent: false, failed: false }, next: SCHEDULE, why }
}

function decideOpen(operation: Operation, look: ExecutionLook, money: MoneyOut): Decision {
  if (look.kind === "absent") return decideAbsent(operation, money)
  if (look.kind !== "seen") return unanswered(look, money.words.asked)
  if (look.status === "COMPLETED") {
    return { event: "complete", next: SCHEDULE, why: money.words.moved }
  }
  if (look.status === "FAILED") return decideFailed(operation, look.failure ?? "unknown", money)
  const seen = onItsWay(money.reports(look.status).open)
  return operation.state === "submitted" ? { ...seen, event: "see" } : seen
}

function decideFailed(operation: Operation, reason: EndReason, { words }: MoneyOut): Decision {
  if (operation.failedAt === null) {
    return {
      reason,
      marks: { failed: true, absent: false },
      next: { kind: "in", ms: LIMITS.failedSecondLookMs },
      why: words.failedOnce,
    }
  }
  const leftMs = LIMITS.failedSecondLookMs - age(operation, operation.failedAt)
  if (leftMs > 0) {
    return { reason, next: { kind: "in", ms: leftMs }, why: "FAILED again, too soon to believe it" }
  }
  return { event: "fail", reason, next: WATCH, why: words.failedTwice }
}

/** 404 for our reference. */
function decideAbsent(operation: Operation, money: MoneyOut): Decision {
  if (operation.state === "in_flight" || operation.lastSending === "accepted") {
    return { next: SCHEDULE, why: "accepted once, and not known there now: it may come back" }
  }
  if (money.isEndedBy404(operation)) {
    return {
      event: "expire",
      reason: END_REASONS.find((known) => known === operation.reason) ?? "never_landed",
      next: WATCH,
      why: money.words.endedBy404,
    }
  }
  const isOver = operation.expiresAt.getTime() <= operation.readAt.getTime()
  return isOver ? decideAfterSession(operation) : money.whileAbsent(operation)
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

/** After an end: a person was told that nothing went, and may have given or paid it once more. */
function decideEnded(operation: Operation, look: ExecutionLook, money: MoneyOut): Decision {
  const { late, words } = money
  if (look.kind === "seen" && look.status === "COMPLETED") {
    return { event: "complete", reason: late, next: SCHEDULE, why: words.movedLate }
  }
  const isWatched = age(operation, operation.createdAt) < LIMITS.watchForMs
  const again = { kind: "in", ms: LIMITS.watchRetryMs } as const
  if (look.kind === "seen" && look.status !== "FAILED") {
    // The watch does not run out over it, and no document would tell of it later.
    const why = money.reports(look.status).late
    return isWatched ? { next: again, why } : { event: "doubt", reason: late, next: SCHEDULE, why }
  }
  const wasAnswered = look.kind === "seen" || look.kind === "absent"
  if (wasAnswered || !isWatched) return { next: WATCH, why: words.nothingLate }
  return { next: again, why: "no answer after the end; asked again" }
}
