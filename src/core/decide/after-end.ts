/**
 * After an end. Money that comes now is never applied by itself and never forgotten: an admin
 * decides. The execution may complete after all, and the source may be paid without us (on its
 * page, in the merchant's portal). An open source that no other try can use is closed.
 */
import { LIMITS } from "../limits"
import type { EventCode } from "../messages"
import type { Money } from "../money"
import { isDismissed, isPush, reusableForMs, type Operation } from "../operation"
import {
  age,
  ASK_SOURCE,
  mismatch,
  SCHEDULE,
  WATCH,
  type Decision,
  type ExecutionFinding,
  type Findings,
  type SourceFinding,
} from "./decision"

export function decideWatched(operation: Operation, findings: Findings): Decision {
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

/** An admin has dismissed the money that came. Its source is closed; only more money is news. */
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
  if (!wasAnswered || isClosed || findings.sourceOwner === "another") {
    return decideNothingCame(operation, execution)
  }
  return source ? decideSource(operation, source, findings.sourceOwner) : ASK_SOURCE
}

/** A draft that never sent anything: its source can only have been paid without us. */
function decideUnsent(operation: Operation, { source, sourceOwner }: Findings): Decision {
  if (sourceOwner === "another") return { next: WATCH, code: "document_of_another" }
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
        ? { next: WATCH, code: "document_of_another" }
        : decideUnsure(operation)
    case "CANCELED":
      return { next: WATCH, code: "document_closed" }
    case "PROCESSING":
      return againSoon(operation, "being_paid")
    default:
      return decideOpenSource(operation)
  }
}

/** Anyone with its address can pay it. Only a retry that takes it over is a reason to keep it. */
function decideOpenSource(operation: Operation): Decision {
  const reusableMs = reusableForMs(operation)
  if (reusableMs > 0) {
    return { next: { kind: "watch", atMostMs: reusableMs }, code: "document_kept" }
  }
  return { ...againSoon(operation, "document_closing"), action: "close_source" }
}

/** Money is there, and the watch ends: an admin can find out whose it is, and has to be told. */
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
 * The money has moved, whatever its source reads: one that was closed for another payment stays
 * `CANCELED`. Only an admin can say where it belongs.
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

/** Money that came after the end, by whichever way it was found: an admin says where it belongs. */
export function lateMoney(operation: Operation, total: Money) {
  const reason = mismatch(operation, total) ?? "late_payment"
  return { event: "complete", reason, code: "paid_after_end" } as const
}
