/**
 * Decides about a prompt under way. The gateway is asked for the execution under its reference, and
 * for its source where the answer needs a second witness.
 */
import { FLOWS } from "../flows"
import { LIMITS } from "../limits"
import type { EventCode } from "../messages"
import type { Money } from "../money"
import { isKnownToGateway, isTimeToPayOver, type EndReason, type Operation } from "../operation"
import { isEndOfExecution, isWithoutMoney } from "./state-words"
import {
  absenceLeftMs,
  age,
  ASK_SOURCE,
  decideContradiction,
  decidePaid,
  firstFailed,
  mismatch,
  reasonOfAbsence,
  SCHEDULE,
  seen,
  unanswered,
  wasRefused,
  WATCH,
  type Decision,
  type ExecutionFinding,
  type Findings,
  type Next,
  type SourceFinding,
  type Unanswered,
} from "./decision"

export function decidePush(operation: Operation, findings: Findings): Decision {
  const execution = findings.execution
  if (!execution) return { next: SCHEDULE, code: "not_asked" }
  const unread =
    execution.kind === "seen" ? undefined : decideUnread(operation, execution, findings)
  if (unread) return unread
  if (isGivenUp(operation, execution)) return decideGivenUp(operation, execution, findings)
  switch (execution.kind) {
    case "seen":
      return decideExecution(operation, execution, findings)
    case "absent":
      return operation.closing && findings.source
        ? afterClosing(operation, operation.closing, findings)
        : decideAbsentExecution(operation, findings.source)
    default:
      return unanswered(execution)
  }
}

/** The shopper has given the payment up, and the gateway names no answer to the prompt. */
function isGivenUp({ closing }: Operation, execution: ExecutionFinding): boolean {
  if (closing !== "canceled") return false
  if (execution.kind === "absent") return true
  return execution.kind === "seen" && !isEndOfExecution(execution.status)
}

/**
 * Nothing is sent again, and the source is closed. If the source is being paid and the gateway
 * knows the prompt, the payment goes on. If the gateway does not know the prompt, the payment stays
 * given up, or the prompt could still go out.
 */
function decideGivenUp(
  operation: Operation,
  execution: ExecutionFinding,
  { source }: Findings,
): Decision {
  if (!source) return ASK_SOURCE
  const isAbsent = execution.kind === "absent"
  if (source.kind !== "seen") {
    return isAbsent ? afterClosing(operation, "canceled", { source }) : unanswered(source)
  }
  switch (source.status) {
    case "CANCELED":
      return {
        event: "expire",
        reason: "canceled",
        marks: { contradicted: false },
        next: AFTER_CANCEL,
        code: "source_closed",
      }
    case "ACTIVE":
    case "IDLE":
      return close(operation, "source_closing")
    default:
      return isAbsent
        ? afterClosing(operation, "canceled", { source })
        : { marks: { closing: null }, next: SCHEDULE, code: "source_reads" }
  }
}

/** The next check after a cancel comes soon: the prompt may still be on the phone. */
const AFTER_CANCEL: Next = { kind: "in", ms: LIMITS.failedOnScreenMs[1] }

function decideExecution(
  operation: Operation,
  execution: { readonly status: string; readonly failure?: EndReason },
  findings: Findings,
): Decision {
  if (execution.status === "COMPLETED") return decideCompleted(operation, findings.source)
  if (isWithoutMoney(execution.status)) return decideFailed(operation, execution.failure, findings)
  return decideNoEnd(operation, findings)
}

/**
 * Whatever keeps the execution from being read, its source is a second witness. Once most payers
 * have answered, and whenever an admin checks, it is asked too. A paid source leads to an admin at
 * once: the money came, but nothing says that this execution brought it.
 *
 * @returns undefined: the source says nothing that decides
 */
function decideUnread(
  operation: Operation,
  { kind }: Unanswered,
  findings: Findings,
): Decision | undefined {
  const { source, isForPerson, isHurried } = findings
  // What the gateway asked us to wait for is waited for, unless it never ends.
  const afterMs = kind === "later" ? LIMITS.neverLandedAfterMs : LIMITS.sourceAskedAfterMs
  const isDue = age(operation, operation.submittedAt) >= afterMs
  if (isHurried || !(isDue || isForPerson)) return undefined
  if (!source) return ASK_SOURCE
  if (source.kind !== "seen") return undefined
  if (isPaidHere(findings, source)) return disagrees(operation, source.total)
  return source.status === "CANCELED" ? decideCanceled(operation) : undefined
}

/**
 * The execution is under way, or its word is unknown. Once most payers have answered, each check
 * asks about the source as well, or a payment whose end is never said would wait for days. An
 * unknown word completes nothing: if the source is paid, and stays so, an admin decides.
 */
function decideNoEnd(operation: Operation, findings: Findings): Decision {
  const { source, isForPerson } = findings
  const isLong = age(operation, operation.submittedAt) >= LIMITS.sourceAskedAfterMs
  const marks = { absent: false, failed: false }
  const goesOn: Decision = { marks, next: SCHEDULE, code: "execution_reads" }
  if (!source) {
    const agreed = { ...goesOn, marks: { ...marks, contradicted: false } }
    return isLong ? ASK_SOURCE : seen(operation, agreed)
  }
  if (source.kind !== "seen") return seen(operation, goesOn)
  if (isPaidHere(findings, source)) {
    const waitedMs = age(operation, operation.contradictedAt)
    if (waitedMs >= LIMITS.paidAheadMs || (isForPerson && isLong)) {
      return disagrees(operation, source.total)
    }
    const next: Next = isLong ? { kind: "in", ms: LIMITS.paidAheadMs - waitedMs } : SCHEDULE
    const contradicted = { ...marks, contradicted: true }
    return seen(operation, { marks: contradicted, next, code: "reports_differ" })
  }
  if (source.status !== "CANCELED") {
    return seen(operation, { ...goesOn, marks: { ...marks, contradicted: false } })
  }
  const canceled = decideCanceled(operation)
  return canceled ?? seen(operation, { ...goesOn, marks: { ...marks, contradicted: true } })
}

/** A closed source takes no money, but the prompt may still be on the phone. */
function decideCanceled(operation: Operation): Decision | undefined {
  const isLasting = age(operation, operation.contradictedAt) >= LIMITS.neverLandedAfterMs
  return isLasting && isTimeToPayOver(operation)
    ? { event: "expire", reason: "canceled", next: AFTER_CANCEL, code: "source_closed" }
    : undefined
}

/** The source is paid, and not by another operation. */
function isPaidHere({ sourceOwner }: Findings, { status }: { readonly status: string }): boolean {
  return status === "PAID" && sourceOwner !== "another"
}

function disagrees(operation: Operation, total: Money): Decision {
  const reason = mismatch(operation, total) ?? "source_disagrees"
  return { event: "doubt", reason, next: SCHEDULE, code: "reports_differ" }
}

/** Both models must agree before money counts: the execution's COMPLETED and the source's PAID. */
function decideCompleted(operation: Operation, source: SourceFinding | undefined): Decision {
  if (!source) return ASK_SOURCE
  if (source.kind === "later") return unanswered(source)
  if (source.kind === "seen" && source.status === "PAID") return decidePaid(operation, source.total)
  return decideContradiction(operation)
}

function decideFailed(
  operation: Operation,
  failure: EndReason | undefined,
  findings: Findings,
): Decision {
  const { source } = findings
  const reason = failure ?? "unknown"
  const first = firstFailed(operation, reason)
  if (first) return first
  if (!source) return ASK_SOURCE
  if (source.kind !== "seen") return unanswered(source)
  if (isPaidHere(findings, source)) return decideContradiction(operation)
  if (source.status === "PROCESSING") return { reason, next: SCHEDULE, code: "reports_differ" }
  return { event: "fail", reason, next: WATCH, code: "failed_twice" }
}

/**
 * 404 for our reference. Status may lag, so the source is a second witness before the same
 * reference, never another, goes out again. What the gateway has answered for is not sent again. If
 * the gateway refused, or nothing landed in time, the source is closed, and the close decides.
 */
function decideAbsentExecution(operation: Operation, source: SourceFinding | undefined): Decision {
  const sentAgo = age(operation, operation.lastSentAt)
  if (sentAgo >= LIMITS.neverLandedAfterMs) return close(operation, "nothing_landed")
  if (isKnownToGateway(operation)) {
    return { marks: { absent: true }, next: SCHEDULE, code: "known_before" }
  }
  const isNotSent = operation.lastSending === "not_sent"
  const waitMs = isNotSent ? LIMITS.waitingCheckFloorMs - sentAgo : absenceLeftMs(operation, true)
  if (waitMs > 0) {
    return {
      marks: { absent: true },
      next: { kind: "in", ms: Math.max(LIMITS.waitingCheckFloorMs, waitMs) },
      code: "not_known",
    }
  }
  if (operation.closing) return close(operation, "source_closing")
  const isRefused = wasRefused(operation)
  const isLate =
    isTimeToPayOver(operation) || age(operation, operation.submittedAt) >= LIMITS.landWithinMs
  // Another card may be the gateway's latest by now, so a card's execution goes out once.
  const isOnce = isRefused || FLOWS[operation.flow].asks === "card"
  const isOver = isOnce || isLate
  if (isNotSent && !isOver) return RESEND
  if (!source) return ASK_SOURCE
  if (source.kind !== "seen") {
    return isOnce ? unanswered(source) : decideWithoutWitness(operation, source)
  }
  const code = isRefused ? "gateway_refused" : "nothing_landed"
  switch (source.status) {
    case "ACTIVE":
    case "IDLE":
      return isOver ? close(operation, code) : RESEND
    case "CANCELED": {
      const reason = reasonOfAbsence(operation)
      return { event: "expire", reason, next: WATCH, code: "source_closed" }
    }
    default:
      return { next: SCHEDULE, code: "source_reads" }
  }
}

const RESEND: Decision = { action: "resend", next: SCHEDULE, code: "sent_again" }

function close(operation: Operation, code: EventCode): Decision {
  const marks = { closing: operation.closing ?? reasonOfAbsence(operation) }
  return { action: "close_source", marks, next: SCHEDULE, code }
}

/** The source can't be read: 404s alone are weak, and have to last longer. */
function decideWithoutWitness(operation: Operation, source: Unanswered): Decision {
  const isSure =
    operation.lastSending === "not_sent" ||
    (age(operation, operation.absentAt) >= LIMITS.absentConfirmAfterMs &&
      age(operation, operation.lastSentAt) >= LIMITS.resendEveryMs)
  return isSure && !isTimeToPayOver(operation) ? RESEND : unanswered(source)
}

/** Decides once the source is to be closed. One failed read of it is no proof: that has to last. */
function afterClosing(operation: Operation, closing: EndReason, { source }: Findings): Decision {
  if (source?.kind === "absent" || source?.kind === "refused") {
    return age(operation, operation.contradictedAt) >= LIMITS.neverLandedAfterMs
      ? { event: "doubt", reason: "credentials", next: SCHEDULE, code: "unreadable" }
      : { marks: { contradicted: true }, next: SCHEDULE, code: "source_closing" }
  }
  if (source?.kind !== "seen") return { next: SCHEDULE, code: "source_closing" }
  const marks = { contradicted: false }
  switch (source.status) {
    case "CANCELED":
      return { event: "expire", reason: closing, marks, next: WATCH, code: "source_closed" }
    case "PROCESSING":
    case "PAID":
      return { marks: { ...marks, absent: false }, next: SCHEDULE, code: "source_reads" }
    case "ACTIVE":
    case "IDLE":
      // The process that was to close it died, or its call got lost.
      return { action: "close_source", marks, next: SCHEDULE, code: "source_closing" }
    default:
      return { marks, next: SCHEDULE, code: "source_closing" }
  }
}
