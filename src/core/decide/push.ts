/**
 * The prompt on the phone, under way: the execution is asked under its reference, and its source
 * where the answer needs a second witness.
 */
import { LIMITS } from "../limits"
import type { EventCode } from "../messages"
import {
  END_REASONS,
  isKnownToGateway,
  isTimeToPayOver,
  type EndReason,
  type Operation,
} from "../operation"
import {
  age,
  decideContradiction,
  decidePaid,
  NOW,
  SCHEDULE,
  unanswered,
  WATCH,
  type Decision,
  type Findings,
  type SourceFinding,
  type Unanswered,
} from "./decision"

export function decidePush(operation: Operation, findings: Findings): Decision {
  const execution = findings.execution
  if (!execution) return { next: SCHEDULE, code: "not_asked" }
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

function decideExecution(
  operation: Operation,
  execution: { readonly status: string; readonly failure?: EndReason },
  findings: Findings,
): Decision {
  if (execution.status === "COMPLETED") return decideCompleted(operation, findings.source)
  if (execution.status === "FAILED") return decideFailed(operation, execution.failure, findings)
  const seen: Decision = {
    marks: { absent: false, failed: false, contradicted: false },
    next: SCHEDULE,
    code: "execution_reads",
  }
  return operation.state === "submitted" ? { ...seen, event: "see" } : seen
}

/** Both models must agree before money counts: the execution's COMPLETED and the source's PAID. */
function decideCompleted(operation: Operation, source: SourceFinding | undefined): Decision {
  if (!source) {
    return { action: "ask_source", next: NOW, code: "document_next" }
  }
  if (source.kind !== "seen") return unanswered(source)
  if (source.status === "PAID") return decidePaid(operation, source.total)
  return decideContradiction(operation)
}

function decideFailed(
  operation: Operation,
  failure: EndReason | undefined,
  { source, sourceOwner }: Findings,
): Decision {
  const reason = failure ?? "unknown"
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
    // A shopper on screen or a return visit has brought the check forward: not yet the second.
    return { reason, next: { kind: "in", ms: leftMs }, code: "failed_once" }
  }
  if (!source) {
    return { action: "ask_source", next: NOW, code: "document_next" }
  }
  if (source.kind !== "seen") return unanswered(source)
  if (source.status === "PAID" && sourceOwner !== "another") {
    return decideContradiction(operation)
  }
  if (source.status === "PROCESSING") {
    return { reason, next: SCHEDULE, code: "reports_differ" }
  }
  return { event: "fail", reason, next: WATCH, code: "failed_twice" }
}

/**
 * 404 for our reference. Status may lag behind the execution, so its source is asked as a second
 * witness before the same reference goes out again; a second reference is never made. What the
 * gateway has once answered for is not sent again. What has not landed in time is closed, and the
 * close decides.
 */
function decideAbsentExecution(operation: Operation, source: SourceFinding | undefined): Decision {
  const sentAgo = age(operation, operation.lastSentAt)
  if (operation.lastSending === "refused" && operation.sendings === 1) {
    return {
      event: "expire",
      reason: endReason(operation.reason) ?? "never_landed",
      next: WATCH,
      code: "gateway_refused",
    }
  }
  if (sentAgo >= LIMITS.neverLandedAfterMs) return close(operation, "nothing_landed")
  if (isKnownToGateway(operation)) {
    return { marks: { absent: true }, next: SCHEDULE, code: "known_before" }
  }
  const isNotSent = operation.lastSending === "not_sent"
  const waitMs = isNotSent
    ? LIMITS.waitingCheckFloorMs - sentAgo
    : LIMITS.absentWitnessedAfterMs - age(operation, operation.absentAt)
  if (waitMs > 0) {
    return {
      marks: { absent: true },
      next: { kind: "in", ms: Math.max(LIMITS.waitingCheckFloorMs, waitMs) },
      code: "not_known",
    }
  }
  if (operation.closing) return close(operation, "document_closing")
  const isOver =
    isTimeToPayOver(operation) || age(operation, operation.submittedAt) >= LIMITS.landWithinMs
  if (isNotSent && !isOver) return RESEND
  if (!source) {
    return { action: "ask_source", next: NOW, code: "document_next" }
  }
  if (source.kind !== "seen") return decideWithoutWitness(operation, source)
  switch (source.status) {
    case "ACTIVE":
    case "IDLE":
      return isOver ? close(operation, "nothing_landed") : RESEND
    case "CANCELED":
      return {
        event: "expire",
        reason: "never_landed",
        next: WATCH,
        code: "document_closed",
      }
    default:
      return { next: SCHEDULE, code: "document_reads" }
  }
}

const RESEND: Decision = {
  action: "resend",
  next: SCHEDULE,
  code: "sent_again",
}

function close({ closing }: Operation, code: EventCode): Decision {
  const marks = { closing: closing ?? "never_landed" } as const
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

function afterClosing(operation: Operation, closing: EndReason, findings: Findings): Decision {
  const source = findings.source
  if (source?.kind === "seen" && source.status === "CANCELED") {
    return { event: "expire", reason: closing, next: WATCH, code: "document_closed" }
  }
  if (source?.kind === "seen" && (source.status === "PROCESSING" || source.status === "PAID")) {
    return { marks: { absent: false }, next: SCHEDULE, code: "document_reads" }
  }
  const isLongAgo = age(operation, operation.lastSentAt) >= LIMITS.neverLandedAfterMs
  if (isLongAgo && (source?.kind === "absent" || source?.kind === "refused")) {
    return {
      event: "doubt",
      reason: "credentials",
      next: SCHEDULE,
      code: "unreadable",
    }
  }
  return { next: SCHEDULE, code: "document_closing" }
}

function endReason(reason: string | null): EndReason | undefined {
  return END_REASONS.find((known) => known === reason)
}
