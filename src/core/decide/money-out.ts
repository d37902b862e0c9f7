/**
 * Decides about money that goes back or out, by what the gateway says of its execution. Pure, like
 * `decide`, over the same machine. There is no second witness: no source says that money went out.
 *
 * A sending may still arrive. It surely did not when the gateway said FAILED twice, when it refused
 * the sending and twice knew no such reference, or when the gateway session is over, so that
 * nothing can be executed with it any more, and five more minutes say 404. Until then the same
 * refund may be sent again, and its part of the payment stays reserved. After days of silence an
 * admin decides.
 */
import { LIMITS } from "../limits"
import type { EventCode } from "../messages"
import { isKnownToGateway, type Operation, type ReviewReason, isUnderWay } from "../operation"
import { isWithoutMoney } from "./state-words"
import {
  absenceLeftMs,
  age,
  firstFailed,
  orGiveUp,
  reasonOfAbsence,
  SCHEDULE,
  seen,
  unanswered,
  wasRefused,
  WATCH,
  type Decision,
  type ExecutionFinding,
} from "./decision"

/** What differs between a refund and a payout. */
type MoneyOut = {
  /** The review's reason for money that moved after the operation had ended. */
  readonly late: ReviewReason
  /** By its call the money did not go, and it is not sent again: a lasting 404 is the end. */
  readonly isEndedBy404: (operation: Operation) => boolean
  /** The decision on a 404 that does not end the operation, before its gateway session is over. */
  readonly whileAbsent: (operation: Operation) => Decision
}

const REFUND: MoneyOut = {
  late: "late_refund",
  isEndedBy404: wasRefused,
  whileAbsent: decideResend,
}

const PAYOUT: MoneyOut = {
  late: "late_payout",
  isEndedBy404: ({ lastSending }) => lastSending === "refused" || lastSending === "not_sent",
  // A payout is never sent again: its passcode is kept nowhere, and an admin can make a new payout.
  whileAbsent: () => ({ next: SCHEDULE, code: "not_known" }),
}

/**
 * Decides about a payout or a transfer.
 *
 * @param finding undefined: the gateway was not asked
 */
export function decidePayout(
  operation: Operation,
  finding: ExecutionFinding | undefined,
): Decision {
  return decideMoneyOut(operation, finding, PAYOUT)
}

/** @param finding undefined: the gateway was not asked */
export function decideRefund(
  operation: Operation,
  finding: ExecutionFinding | undefined,
): Decision {
  return decideMoneyOut(operation, finding, REFUND)
}

function decideOtherAmount(status: string): Decision {
  if (status === "COMPLETED") {
    return { event: "doubt", reason: "amount_mismatch", next: SCHEDULE, code: "other_amount" }
  }
  // It is followed to its end, but Medusa does not record such a refund as on its way.
  return onItsWay("other_amount")
}

/** The gateway is asked, then the same reference is sent again; a second one is never made. */
function decideResend(operation: Operation): Decision {
  const { absentAt } = operation
  const isNotSent = operation.lastSending === "not_sent"
  const confirmLeftMs = absenceLeftMs(operation, false)
  const gapMs = isNotSent ? LIMITS.waitingCheckFloorMs : LIMITS.resendEveryMs
  const waitMs = Math.max(confirmLeftMs, gapMs - age(operation, operation.lastSentAt))
  if (waitMs <= 0) return { action: "resend", next: SCHEDULE, code: "sent_again" }
  return {
    ...(absentAt ? {} : { marks: { absent: true } }),
    next: { kind: "in", ms: Math.max(LIMITS.waitingCheckFloorMs, waitMs) },
    code: "not_known",
  }
}

/**
 * No source tells what went back or out, so only the execution's own amounts tell. If they can't
 * come from the asked amount, the money is not called on its way, and once it has moved an admin
 * decides.
 */
function decideMoneyOut(
  operation: Operation,
  finding: ExecutionFinding | undefined,
  money: MoneyOut,
): Decision {
  const notAsked: Decision = { next: SCHEDULE, code: "not_asked" }
  const isOther = finding?.kind === "seen" && finding.isOtherAmount && finding.status !== "FAILED"
  if (isUnderWay(operation) && isOther) {
    return orGiveUp(operation, decideOtherAmount(finding.status), LIMITS.refundAskMs)
  }
  switch (operation.state) {
    case "submitted":
    case "in_flight": {
      const decision = finding ? decideOpen(operation, finding, money) : notAsked
      return orGiveUp(operation, decision, LIMITS.refundAskMs)
    }
    case "failed":
    case "expired":
      return finding ? decideEnded(operation, finding, money) : { ...notAsked, next: WATCH }
    case "completed":
      return decideCompleted(finding) ?? notAsked
    case "drafted":
    case "review":
      return notAsked
  }
}

/** Completed is final: a later contradiction is noted once, and an admin decides. */
function decideCompleted(finding: ExecutionFinding | undefined): Decision | undefined {
  if (finding?.kind !== "seen") return undefined
  if (isWithoutMoney(finding.status)) {
    return { marks: { contradicted: true }, next: SCHEDULE, code: "contradicted" }
  }
  return finding.status === "COMPLETED"
    ? { marks: { contradicted: false }, next: SCHEDULE, code: "confirmed_again" }
    : undefined
}

/** The gateway knows the execution: an earlier 404 or FAILED was not the last word. */
function onItsWay(code: EventCode): Decision {
  return { marks: { absent: false, failed: false }, next: SCHEDULE, code }
}

function decideOpen(operation: Operation, finding: ExecutionFinding, money: MoneyOut): Decision {
  if (finding.kind === "absent") return decideAbsent(operation, money)
  if (finding.kind !== "seen") return unanswered(finding)
  if (finding.status === "COMPLETED") return { event: "complete", next: SCHEDULE, code: "arrived" }
  if (finding.status !== "FAILED") return seen(operation, onItsWay("execution_reads"))
  const reason = finding.failure ?? "unknown"
  const first = firstFailed(operation, reason)
  return first ?? { event: "fail", reason, next: WATCH, code: "failed_twice" }
}

/** The gateway answers 404 for our reference. */
function decideAbsent(operation: Operation, money: MoneyOut): Decision {
  if (isKnownToGateway(operation)) return { next: SCHEDULE, code: "known_before" }
  if (money.isEndedBy404(operation)) {
    const ms = absenceLeftMs(operation, false)
    if (ms > 0) return { marks: { absent: true }, next: { kind: "in", ms }, code: "not_known" }
    return {
      event: "expire",
      reason: reasonOfAbsence(operation),
      next: WATCH,
      code: operation.lastSending === "refused" ? "gateway_refused" : "never_landed",
    }
  }
  const isOver = operation.expiresAt.getTime() <= operation.readAt.getTime()
  return isOver ? decideAfterSession(operation) : money.whileAbsent(operation)
}

/**
 * The gateway session is over: a sending has landed or never will. The gateway gets time to say.
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
  return { event: "expire", reason: "never_landed", next: WATCH, code: "never_landed" }
}

/** After an end: an admin heard that no money went, and may have refunded or paid it once more. */
function decideEnded(operation: Operation, finding: ExecutionFinding, money: MoneyOut): Decision {
  const { late } = money
  if (finding.kind === "seen" && finding.status === "COMPLETED") {
    return { event: "complete", reason: late, next: SCHEDULE, code: "arrived_after_end" }
  }
  const isWatched = age(operation, operation.createdAt) < LIMITS.watchForMs
  const again = { kind: "in", ms: LIMITS.watchRetryMs } as const
  if (finding.kind === "seen" && finding.status !== "FAILED") {
    // An execution under way can't run the watch out: no source would show its money later.
    const code = "execution_reads"
    return isWatched
      ? { next: again, code }
      : { event: "doubt", reason: late, next: SCHEDULE, code }
  }
  const wasAnswered = finding.kind === "seen" || finding.kind === "absent"
  if (wasAnswered || !isWatched) return { next: WATCH, code: "still_ended" }
  return { next: again, code: "no_answer" }
}
