/**
 * Completed is final: what the gateway says later moves nothing and takes nothing back. That it
 * says something else now is noted, once, and told to the merchant; a person decides.
 */
import { sameMoney } from "../money"
import type { Operation } from "../operation"
import { SCHEDULE, type Decision, type Findings } from "./decision"

/** Of an operation that is `completed` and was asked about again. Never an event. */
export function decideRecorded(operation: Operation, findings: Findings): Decision {
  if (isContradicted(operation, findings)) {
    return { marks: { contradicted: true }, next: SCHEDULE, code: "contradicted" }
  }
  const agrees = findings.source?.kind === "seen" || findings.execution?.kind === "seen"
  return agrees
    ? {
        marks: { contradicted: false },
        next: SCHEDULE,
        code: "confirmed_again",
      }
    : { next: SCHEDULE, code: "not_asked" }
}

function isContradicted(operation: Operation, { execution, source }: Findings): boolean {
  if (execution?.kind === "seen" && execution.status === "FAILED") return true
  // What a source reads after a refund is not documented (contract, 17.2).
  const isRefunded = operation.returnedAt !== null || operation.reservedRefundMinor > 0n
  if (source?.kind !== "seen" || isRefunded) return false
  // Accepted by a person, it may be another amount than was asked for.
  const came = operation.collected ?? operation.amount
  return source.status !== "PAID" || !sameMoney(source.total, came)
}
