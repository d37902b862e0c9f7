/**
 * What an answer of the gateway means for a collection: on the payment page, when it is recorded,
 * and after an end (late money); `push.ts` has a prompt under way. The core decides, the rooms act:
 * `decide` takes values and gives back a value, so each business case is one row of a table test.
 *
 * It never turns "we do not know" into "failed". FAILED counts when it was seen twice; COMPLETED
 * counts when the source agrees in status, amount and currency; 404 counts for nothing by itself.
 *
 * A decision may ask for more (`ask_source`, `close_source`, `resend`); the room does that and
 * decides again with what it learned. `code` is kept with the event and shown in the admin.
 */
import { LIMITS } from "../limits"
import type { EventCode } from "../messages"
import { sameMoney, type Money } from "../money"
import { isTakenBack } from "./state-words"
import { isDismissed, isPush, isTimeToPayOver, reusableForMs, type Operation } from "../operation"
import {
  age,
  ASK_SOURCE,
  decidePaid,
  mismatch,
  orGiveUp,
  SCHEDULE,
  seen,
  unanswered,
  WATCH,
  type Decision,
  type ExecutionFinding,
  type Findings,
  type SourceFinding,
} from "./decision"
import { decidePush } from "./push"

const NOT_ASKED: Decision = { next: SCHEDULE, code: "not_asked" }

export function decide(operation: Operation, findings: Findings): Decision {
  switch (operation.state) {
    case "submitted":
    case "in_flight": {
      const decideOpen = isPush(operation) ? decidePush : decideHosted
      return orGiveUp(operation, decideOpen(operation, findings), LIMITS.collectionAskMs)
    }
    case "failed":
    case "expired":
      return decideWatched(operation, findings)
    case "completed":
      return decideRecorded(operation, findings)
    case "drafted":
    case "review":
      return NOT_ASKED
  }
}

/** The payment page, under way: there is no execution of ours, the source alone is asked. */
function decideHosted(operation: Operation, findings: Findings): Decision {
  const source = findings.source
  if (!source) return ASK_SOURCE
  if (source.kind === "absent") {
    if (age(operation, operation.absentAt) >= LIMITS.neverLandedAfterMs) {
      return { event: "doubt", reason: "credentials", next: SCHEDULE, code: "source_unknown" }
    }
    return { marks: { absent: true }, next: SCHEDULE, code: "source_unknown" }
  }
  if (source.kind !== "seen") return unanswered(source)
  if (source.status === "PAID") return decidePaid(operation, source.total)
  if (source.status === "CANCELED") {
    const reason = operation.closing ?? "canceled"
    return { event: "expire", reason, next: WATCH, code: "source_closed" }
  }
  if (source.status === "PROCESSING") {
    return seen(operation, { marks: { absent: false }, next: SCHEDULE, code: "being_paid" })
  }
  if (operation.closing) {
    return { action: "close_source", next: SCHEDULE, code: "source_closing" }
  }
  const close = { action: "close_source", next: SCHEDULE } as const
  if (findings.isAmountStale) {
    return { ...close, marks: { closing: "canceled" }, code: "amount_changed" }
  }
  if (isTimeToPayOver(operation)) {
    return { ...close, marks: { closing: "window_closed" }, code: "window_over" }
  }
  return { marks: { absent: false }, next: SCHEDULE, code: "source_reads" }
}

/**
 * Completed is final: a later answer is never an event, and takes nothing back. A contradiction is
 * noted once, and an admin decides. Only an execution that reads completed confirms the payment
 * again: another word, known or not, says nothing either way.
 */
function decideRecorded(operation: Operation, findings: Findings): Decision {
  if (isContradicted(operation, findings)) {
    return { marks: { contradicted: true }, next: SCHEDULE, code: "contradicted" }
  }
  const { execution, source } = findings
  const isExecuted = execution?.kind === "seen" && execution.status === "COMPLETED"
  const agrees = isExecuted || (source?.kind === "seen" && execution?.kind !== "seen")
  return agrees
    ? { marks: { contradicted: false }, next: SCHEDULE, code: "confirmed_again" }
    : NOT_ASKED
}

function isContradicted(operation: Operation, { execution, source, beside }: Findings): boolean {
  // What a source reads after a refund is not documented (contract, 17.2).
  const isRefunded = operation.returnedAt !== null || operation.reservedRefundMinor > 0n
  if (execution?.kind === "seen" && execution.status === "FAILED") return true
  const words = execution?.kind === "seen" ? [execution.status, ...(beside ?? [])] : beside
  if (!isRefunded && words?.some(isTakenBack)) return true
  if (source?.kind !== "seen" || isRefunded) return false
  // An admin may have accepted another amount than was asked for.
  const came = operation.collected ?? operation.amount
  return source.status !== "PAID" || !sameMoney(source.total, came)
}

/**
 * After an end. Money that comes now is never forgotten: it is under review until a rule of the
 * account's or an admin decides. The execution may complete after all, and the source may be paid
 * without us (on its page, in the merchant's portal). An open source that no other try can use is
 * closed.
 */
function decideWatched(operation: Operation, findings: Findings): Decision {
  if (operation.collected !== null) return decideDismissed(operation, findings)
  if (!isPush(operation)) {
    return findings.source
      ? decideSource(operation, findings.source, "this")
      : { next: WATCH, code: "not_asked" }
  }
  return operation.reference === null
    ? decideUnsent(operation, findings)
    : decidePushWatched(operation, findings)
}

/** An admin has dismissed the money that came. The source is closed; only more money is news. */
function decideDismissed(operation: Operation, { source, sourceOwner }: Findings): Decision {
  const known: Decision = { next: SCHEDULE, code: "still_ended" }
  if (operation.sourceId === null || sourceOwner === "another") return known
  if (!source) return ASK_SOURCE
  if (source.kind !== "seen" || source.status !== "PAID") {
    return decideSource(operation, source, "this")
  }
  return isDismissed(operation, source.total) ? known : decideLate(operation, source)
}

function decidePushWatched(operation: Operation, findings: Findings): Decision {
  const { execution, source } = findings
  if (!execution) return { next: WATCH, code: "not_asked" }
  if (execution.kind === "seen" && execution.status === "COMPLETED") {
    return source ? decideLateExecution(operation, source) : ASK_SOURCE
  }
  const wasAnswered = execution.kind === "seen" || execution.kind === "absent"
  const isClosed = operation.sourceId === null || operation.sourceStatus === "CANCELED"
  if (execution.kind === "later" || isClosed || findings.sourceOwner === "another") {
    return decideNothingCame(operation, execution)
  }
  if (!source) return ASK_SOURCE
  const isPaid = source.kind === "seen" && source.status === "PAID"
  // Without the execution's word nothing is closed, and no check of the watch is used up.
  return wasAnswered || isPaid
    ? decideSource(operation, source, findings.sourceOwner)
    : decideNothingCame(operation, execution)
}

/** A draft that never sent anything: its source can only have been paid without us. */
function decideUnsent(operation: Operation, { source, sourceOwner }: Findings): Decision {
  if (sourceOwner === "another") return { next: WATCH, code: "source_of_another" }
  return source ? decideSource(operation, source, sourceOwner) : { next: WATCH, code: "not_asked" }
}

function decideSource(
  operation: Operation,
  source: SourceFinding,
  owner: Findings["sourceOwner"],
): Decision {
  if (source.kind !== "seen") return decideNothingCame(operation, source)
  switch (source.status) {
    case "PAID":
      if (owner === "this") return decideLate(operation, source)
      return owner === "another"
        ? { next: WATCH, code: "source_of_another" }
        : decideUnsure(operation)
    case "CANCELED":
      return { next: WATCH, code: "source_closed" }
    case "PROCESSING":
      return againSoon(operation, "being_paid")
    default:
      return decideOpenSource(operation)
  }
}

/** Anyone with the source's address can pay it. It stays open only for a retry to take it over. */
function decideOpenSource(operation: Operation): Decision {
  const reusableMs = reusableForMs(operation)
  if (reusableMs > 0) {
    return { next: { kind: "watch", atMostMs: reusableMs }, code: "source_kept" }
  }
  return { ...againSoon(operation, "source_closing"), action: "close_source" }
}

/**
 * The source is paid, and no operation is known to have paid it. When the watch ends, an admin has
 * to find out whose money it is.
 */
function decideUnsure(operation: Operation): Decision {
  const code = "paid_by_unknown"
  if (age(operation, operation.createdAt) < LIMITS.watchForMs) return againSoon(operation, code)
  return { event: "doubt", reason: "source_disagrees", next: SCHEDULE, code }
}

/** An outage at the gateway must not use up the few checks that there are after an end. */
function decideNothingCame(
  operation: Operation,
  { kind }: ExecutionFinding | SourceFinding,
): Decision {
  const wasAnswered = kind === "seen" || kind === "absent"
  return wasAnswered ? { next: WATCH, code: "still_ended" } : againSoon(operation, "no_answer")
}

function againSoon(operation: Operation, code: EventCode): Decision {
  const isWatched = age(operation, operation.createdAt) < LIMITS.watchForMs
  return { next: isWatched ? { kind: "in", ms: LIMITS.watchRetryMs } : WATCH, code }
}

/**
 * The execution completed after the end, so the money has moved, whatever the source reads: a
 * source that was closed for another payment stays `CANCELED`. Only an admin can say where the
 * money belongs.
 */
function decideLateExecution(operation: Operation, source: SourceFinding): Decision {
  if (source.kind === "seen" && source.status === "PAID") return decideLate(operation, source)
  const isFinal = source.kind === "seen" && source.status === "CANCELED"
  if (isFinal || age(operation, operation.contradictedAt) >= LIMITS.neverLandedAfterMs) {
    return { event: "doubt", reason: "source_disagrees", next: SCHEDULE, code: "reports_differ" }
  }
  return {
    marks: { contradicted: true },
    next: { kind: "in", ms: LIMITS.neverLandedAfterMs },
    code: "reports_differ",
  }
}

function decideLate(
  operation: Operation,
  { total }: Extract<SourceFinding, { kind: "seen" }>,
): Decision {
  return { ...lateMoney(operation, total), next: SCHEDULE }
}

/** Money that came after the payment had ended: a rule or an admin decides what becomes of it. */
export function lateMoney(operation: Operation, total: Money) {
  const reason = mismatch(operation, total) ?? "late_payment"
  return { event: "complete", reason, code: "paid_after_end" } as const
}
