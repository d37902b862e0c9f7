/**
 * What an answer of the gateway means for a collection. The core decides, the rooms act: `decide`
 * takes values and gives back a value, so each business case is one row of a table test.
 *
 * It never turns "we do not know" into "failed". FAILED counts when it was seen twice; COMPLETED
 * counts when the source agrees in status, amount and currency; 404 counts for nothing by itself.
 *
 * A decision may ask for more (`ask_source`, `close_source`, `resend`); the room does that and
 * decides again with what it learned. `code` is kept with the event and shown in the admin.
 */
import { LIMITS } from "../limits"
import { sameMoney } from "../money"
import { isPush, isTimeToPayOver, type Operation } from "../operation"
import { decideWatched } from "./after-end"
import {
  age,
  ASK_SOURCE,
  decidePaid,
  orGiveUp,
  SCHEDULE,
  seen,
  unanswered,
  WATCH,
  type Decision,
  type Findings,
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
      return { event: "doubt", reason: "credentials", next: SCHEDULE, code: "document_unknown" }
    }
    return { marks: { absent: true }, next: SCHEDULE, code: "document_unknown" }
  }
  if (source.kind !== "seen") return unanswered(source)
  if (source.status === "PAID") return decidePaid(operation, source.total)
  if (source.status === "CANCELED") {
    const reason = operation.closing ?? "canceled"
    return { event: "expire", reason, next: WATCH, code: "document_closed" }
  }
  if (source.status === "PROCESSING") {
    return seen(operation, { marks: { absent: false }, next: SCHEDULE, code: "being_paid" })
  }
  if (operation.closing) {
    return { action: "close_source", next: SCHEDULE, code: "document_closing" }
  }
  const close = { action: "close_source", next: SCHEDULE } as const
  if (findings.isAmountStale) {
    return { ...close, marks: { closing: "canceled" }, code: "amount_changed" }
  }
  if (isTimeToPayOver(operation)) {
    return { ...close, marks: { closing: "window_closed" }, code: "window_over" }
  }
  return { marks: { absent: false }, next: SCHEDULE, code: "document_reads" }
}

/**
 * Completed is final: what the gateway says later moves nothing and takes nothing back. That it
 * says something else now is noted once, and an admin decides. Never an event.
 */
function decideRecorded(operation: Operation, findings: Findings): Decision {
  if (isContradicted(operation, findings)) {
    return { marks: { contradicted: true }, next: SCHEDULE, code: "contradicted" }
  }
  const agrees = findings.source?.kind === "seen" || findings.execution?.kind === "seen"
  return agrees
    ? { marks: { contradicted: false }, next: SCHEDULE, code: "confirmed_again" }
    : NOT_ASKED
}

function isContradicted(operation: Operation, { execution, source }: Findings): boolean {
  if (execution?.kind === "seen" && execution.status === "FAILED") return true
  // What a source reads after a refund is not documented (contract, 17.2).
  const isRefunded = operation.returnedAt !== null || operation.reservedRefundMinor > 0n
  if (source?.kind !== "seen" || isRefunded) return false
  // Accepted by an admin, it may be another amount than was asked for.
  const came = operation.collected ?? operation.amount
  return source.status !== "PAID" || !sameMoney(source.total, came)
}
