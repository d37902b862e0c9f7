/**
 * Completed is final: what the gateway says later moves nothing and takes nothing back. That it says
 * something else now is noted, once, and told to the merchant; a person decides.
 */
import { SCHEDULE, type Decision, type Looks } from "./decision"
import { sameMoney } from "./money"
import type { Operation } from "./operation"

/** Of an operation that is `completed` and was asked about again. Never an event. */
export function decideRecorded(operation: Operation, looks: Looks): Decision {
  const contradiction = contradictionOf(operation, looks)
  if (contradiction) {
    return { marks: { contradicted: true }, next: SCHEDULE, why: contradiction }
  }
  const agrees = looks.source?.kind === "seen" || looks.execution?.kind === "seen"
  return agrees
    ? {
        marks: { contradicted: false },
        next: SCHEDULE,
        why: "the gateway says what it said before",
      }
    : { next: SCHEDULE, why: "nothing to ask for while completed" }
}

function contradictionOf(operation: Operation, looks: Looks): string | undefined {
  const { execution, source } = looks
  if (execution?.kind === "seen" && execution.status === "FAILED") {
    return "it was COMPLETED, and now the execution reads FAILED"
  }
  // What a source reads after a refund is not documented (contract, 17.2).
  const isRefunded = operation.returnedAt !== null || operation.reservedRefundMinor > 0n
  if (source?.kind !== "seen" || isRefunded) return undefined
  if (source.status !== "PAID") return `it was paid, and now its source reads ${source.status}`
  // Accepted by a person, it may be another amount than was asked for.
  const came = operation.collected ?? operation.amount
  return sameMoney(source.total, came) ? undefined : "its source's total is another now"
}
