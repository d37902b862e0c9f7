/** After an end. Money that comes now is never applied by itself and never forgotten. */
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
import type { Operation } from "./operation"

/** After an end we keep asking for a while: money can still come, and is then held for a person. */
export function decideWatched(operation: Operation, looks: Looks): Decision {
  const isPush = operation.flow === "push" || operation.flow === "card"
  if (isPush && looks.execution?.kind === "seen" && looks.execution.status === "COMPLETED") {
    if (!looks.source) return { action: "ask_source", next: NOW, why: "late; asking its source" }
    return decideLateExecution(operation, looks.source)
  }
  if (!isPush && looks.source) return decideLate(operation, looks.source)
  const look = isPush ? looks.execution : looks.source
  return look ? decideNothingCame(operation, look) : { next: WATCH, why: "nothing was asked" }
}

/** An outage at the gateway must not use up the few looks that there are after an end. */
function decideNothingCame(operation: Operation, look: ExecutionLook | SourceLook): Decision {
  const wasAnswered = look.kind === "seen" || look.kind === "absent"
  const isWatched = age(operation, operation.createdAt) < LIMITS.watchForMs
  if (wasAnswered || !isWatched) return { next: WATCH, why: "nothing came after the end" }
  return {
    next: { kind: "in", ms: LIMITS.watchRetryMs },
    why: "no answer after the end; asked again",
  }
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

function decideLate(operation: Operation, source: SourceLook): Decision {
  if (source.kind !== "seen" || source.status !== "PAID") {
    return decideNothingCame(operation, source)
  }
  const doubt = mismatch(operation, source.total)
  return {
    event: "complete",
    reason: doubt ?? "late_payment",
    next: SCHEDULE,
    why: "money came after the operation had ended",
  }
}
