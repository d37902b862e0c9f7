/** The payment page, under way: there is no execution of ours, the source alone is asked. */
import { LIMITS } from "../limits"
import { isTimeToPayOver, type Operation } from "../operation"
import {
  age,
  decidePaid,
  NOW,
  SCHEDULE,
  unanswered,
  WATCH,
  type Decision,
  type Findings,
} from "./decision"

export function decideHosted(operation: Operation, findings: Findings): Decision {
  const source = findings.source
  if (!source) return { action: "ask_source", next: NOW, code: "document_next" }
  if (source.kind === "absent") {
    if (age(operation, operation.absentAt) >= LIMITS.neverLandedAfterMs) {
      return {
        event: "doubt",
        reason: "credentials",
        next: SCHEDULE,
        code: "document_unknown",
      }
    }
    return { marks: { absent: true }, next: SCHEDULE, code: "document_unknown" }
  }
  if (source.kind !== "seen") return unanswered(source)
  if (source.status === "PAID") return decidePaid(operation, source.total)
  if (source.status === "CANCELED") {
    return {
      event: "expire",
      reason: operation.closing ?? "canceled",
      next: WATCH,
      code: "document_closed",
    }
  }
  if (source.status === "PROCESSING") {
    const seen: Decision = {
      marks: { absent: false },
      next: SCHEDULE,
      code: "being_paid",
    }
    return operation.state === "submitted" ? { ...seen, event: "see" } : seen
  }
  if (operation.closing) {
    return { action: "close_source", next: SCHEDULE, code: "document_closing" }
  }
  if (findings.isAmountStale) {
    return {
      action: "close_source",
      marks: { closing: "canceled" },
      next: SCHEDULE,
      code: "amount_changed",
    }
  }
  if (isTimeToPayOver(operation)) {
    return {
      action: "close_source",
      marks: { closing: "window_closed" },
      next: SCHEDULE,
      code: "window_over",
    }
  }
  return { marks: { absent: false }, next: SCHEDULE, code: "document_reads" }
}
