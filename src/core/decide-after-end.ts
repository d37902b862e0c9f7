/**
 * After an end. Money that comes now is never applied by itself and never forgotten.
 *
 * Two things are watched: the execution, which may complete after all, and the source, which somebody may
 * pay without us (on its page, in the merchant's portal) as long as it is not closed. An open source that
 * no other try can use is closed.
 */
import {
  age,
  mismatch,
  NOW,
  SCHEDULE,
  WATCH,
  type Decision,
  type ExecutionLook,
  type Looks,
  type SourceLook,
} from "./decision"
import { LIMITS } from "./limits"
import { isDismissed, isPush, reusableForMs, type Operation } from "./operation"

/** After an end we keep asking for a while: money can still come, and is then held for a person. */
export function decideWatched(operation: Operation, looks: Looks): Decision {
  if (operation.collected !== null) return decideDismissed(operation, looks)
  if (!isPush(operation)) {
    return looks.source
      ? decideSource(operation, looks.source, "this")
      : { next: WATCH, why: "nothing was asked" }
  }
  return operation.reference === null
    ? decideUnsent(operation, looks)
    : decidePushWatched(operation, looks)
}

/** A person has dismissed the money that came. Its source is closed, and only more than that is news. */
function decideDismissed(operation: Operation, { source, sourceOwner }: Looks): Decision {
  const known: Decision = {
    next: SCHEDULE,
    why: "a person has dismissed the money that came",
  }
  if (operation.sourceId === null || sourceOwner === "another") return known
  if (!source) {
    return { action: "ask_source", next: NOW, why: "its money was dismissed; asking its source" }
  }
  if (source.kind !== "seen" || source.status !== "PAID") {
    return decideSource(operation, source, "this")
  }
  return isDismissed(operation, source.total) ? known : decideLate(operation, source)
}

function decidePushWatched(operation: Operation, looks: Looks): Decision {
  const { execution, source } = looks
  if (!execution) return { next: WATCH, why: "nothing was asked" }
  if (execution.kind === "seen" && execution.status === "COMPLETED") {
    return source
      ? decideLateExecution(operation, source)
      : { action: "ask_source", next: NOW, why: "late; asking its source" }
  }
  const wasAnswered = execution.kind === "seen" || execution.kind === "absent"
  const isClosed = operation.sourceId === null || operation.sourceStatus === "CANCELED"
  if (!wasAnswered || isClosed || looks.sourceOwner === "another") {
    return decideNothingCame(operation, execution)
  }
  return source
    ? decideSource(operation, source, looks.sourceOwner)
    : { action: "ask_source", next: NOW, why: "its execution brought nothing; asking its source" }
}

/** A draft that never sent anything: only somebody else can have paid its source. */
function decideUnsent(operation: Operation, { source, sourceOwner }: Looks): Decision {
  if (sourceOwner === "another") {
    return { next: WATCH, why: "its source is another payment's" }
  }
  return source
    ? decideSource(operation, source, sourceOwner)
    : { next: WATCH, why: "nothing was asked" }
}

function decideSource(
  operation: Operation,
  source: SourceLook,
  owner: Looks["sourceOwner"],
): Decision {
  if (source.kind !== "seen") return decideNothingCame(operation, source)
  switch (source.status) {
    case "PAID":
      if (owner === "this") return decideLate(operation, source)
      return owner === "another"
        ? { next: WATCH, why: "its source was paid by another payment of ours" }
        : decideUnsure(operation)
    case "CANCELED":
      return { next: WATCH, why: "its source can't be paid any more" }
    case "PROCESSING":
      return againSoon(operation, "somebody pays its source at this moment")
    default:
      return decideOpenSource(operation, source.status)
  }
}

/** It could be paid by whoever finds it. Only a retry, which takes it over, is a reason to keep it. */
function decideOpenSource(operation: Operation, status: string): Decision {
  const reusableMs = reusableForMs(operation)
  if (reusableMs > 0) {
    return {
      next: { kind: "watch", atMostMs: reusableMs },
      why: `its source reads ${status}; the shopper may try again with it`,
    }
  }
  return {
    ...againSoon(operation, `its source reads ${status} after the end; closing it`),
    action: "close_source",
  }
}

/** Money is there, and the watch ends: whose it is a person can find out, but not if nobody is told. */
function decideUnsure(operation: Operation): Decision {
  const why = "its source is paid; by which payment is not known"
  if (age(operation, operation.createdAt) < LIMITS.watchForMs) return againSoon(operation, why)
  return { event: "doubt", reason: "source_disagrees", next: SCHEDULE, why }
}

/** An outage at the gateway must not use up the few looks that there are after an end. */
function decideNothingCame(operation: Operation, look: ExecutionLook | SourceLook): Decision {
  const wasAnswered = look.kind === "seen" || look.kind === "absent"
  if (wasAnswered) return { next: WATCH, why: "nothing came after the end" }
  return againSoon(operation, "no answer after the end; asked again")
}

function againSoon(operation: Operation, why: string): Decision {
  const isWatched = age(operation, operation.createdAt) < LIMITS.watchForMs
  return { next: isWatched ? { kind: "in", ms: LIMITS.watchRetryMs } : WATCH, why }
}

/**
 * The money has moved, whatever its source reads: one that was closed for another payment stays
 * `CANCELED`. It is never forgotten, and only a person can say where it belongs.
 */
function decideLateExecution(operation: Operation, source: SourceLook): Decision {
  if (source.kind === "seen" && source.status === "PAID") return decideLate(operation, source)
  const reads = source.kind === "seen" ? source.status : source.kind
  const isFinal = source.kind === "seen" && source.status === "CANCELED"
  if (isFinal || age(operation, operation.contradictedAt) >= LIMITS.neverLandedAfterMs) {
    return {
      event: "doubt",
      reason: "source_disagrees",
      next: SCHEDULE,
      why: `the execution is COMPLETED after the end, but its source reads ${reads}`,
    }
  }
  return {
    marks: { contradicted: true },
    next: { kind: "in", ms: LIMITS.neverLandedAfterMs },
    why: `the execution is COMPLETED after the end; its source reads ${reads} so far`,
  }
}

function decideLate(operation: Operation, source: Extract<SourceLook, { kind: "seen" }>): Decision {
  const doubt = mismatch(operation, source.total)
  return {
    event: "complete",
    reason: doubt ?? "late_payment",
    next: SCHEDULE,
    why: "money came after the operation had ended",
  }
}
