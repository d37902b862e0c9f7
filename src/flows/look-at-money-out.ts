/**
 * What one look at money on its way out leads to, a refund's as a payout's: what is to be written of the
 * decision, when it is looked at again, and whether that look counts. Who looks writes it, under the
 * lease that it holds.
 */
import type { Decision, ExecutionLook } from "../core/decision"
import type { Operation } from "../core/operation"
import type { Random } from "../core/ports"
import { nextRefundCheckInMs } from "../core/refund-schedule"
import { leftOfWatchMs, nextWatchInMs } from "../core/schedule"
import type { Advance, Changes } from "../ledger/advance-operation"
import type { Postponement } from "../ledger/postpone-operation"

export type Look = {
  readonly look: ExecutionLook
  /** What the gateway's answer says beside its status; undefined where it did not answer. */
  readonly learned: Changes | undefined
}

type Verdict =
  | { readonly kind: "postpone"; readonly postponement: Postponement }
  | { readonly kind: "write"; readonly advance: Advance }

export function verdictOn(
  operation: Operation,
  decision: Decision,
  { look, learned }: Look,
  random: Random,
): Verdict {
  const changes = changesOf(operation, decision, learned)
  const inMs = nextInMs(operation, decision, random.fraction())
  const isCounted = usesALookUp(operation, decision)
  const { event, why } = decision
  if (event === undefined && Object.keys(changes).length === 0) {
    const wasAnswered = learned !== undefined
    return { kind: "postpone", postponement: { inMs: inMs ?? null, wasAnswered, isCounted } }
  }
  // An end starts the watch's own count.
  const checks = event && event !== "see" ? 0 : operation.checks + (isCounted ? 1 : 0)
  return {
    kind: "write",
    advance: {
      event: event ?? { note: noteOf(decision) },
      why,
      facts: { execution: look.kind === "seen" ? look.status : look.kind },
      changes: { ...changes, checkedAt: true, checks },
      next: inMs === undefined ? "never" : { inMs },
      lease: "release",
    },
  }
}

function changesOf(
  operation: Operation,
  { marks, event, reason }: Decision,
  learned: Changes | undefined,
): Changes {
  const isDoneInTime = event === "complete" && reason === undefined
  const isTakenBack = marks?.failed === false && operation.failedAt !== null
  return {
    ...learned,
    ...(reason !== undefined && reason !== operation.reason ? { reason } : {}),
    ...(isDoneInTime || isTakenBack ? { reason: null } : {}),
    ...(isTakenBack ? { failedAt: false } : {}),
    ...(marks?.failed === true ? { failedAt: true } : {}),
    // Marked anew where the decision says so: what counts is when it was first not known since then.
    ...(marks?.absent === true ? { absentAt: true } : {}),
    ...(marks?.absent === false && operation.absentAt !== null ? { absentAt: false } : {}),
  }
}

function usesALookUp(operation: Operation, { next, event }: Decision): boolean {
  const isEarly = next.kind === "watch" && event === undefined && leftOfWatchMs(operation) > 0
  return next.kind !== "in" && !isEarly
}

/** Undefined: never again. */
function nextInMs(
  operation: Operation,
  { next, event }: Decision,
  fraction: number,
): number | undefined {
  if (event === "complete" || event === "doubt") return undefined
  switch (next.kind) {
    case "now":
      return 0
    case "in":
      return next.ms
    case "watch": {
      if (event === "fail" || event === "expire") {
        return nextWatchInMs(event === "fail" ? "failed" : "expired", 0, fraction)
      }
      const leftMs = leftOfWatchMs(operation)
      if (leftMs > 0) return leftMs
      const { state, checks } = operation
      return state === "failed" || state === "expired"
        ? nextWatchInMs(state, checks + 1, fraction)
        : nextRefundCheckInMs(operation, fraction)
    }
    case "schedule":
      return nextRefundCheckInMs(operation, fraction)
  }
}

function noteOf({ marks }: Decision): string {
  if (marks?.failed) return "failed_once"
  return marks?.absent ? "absent" : "seen"
}
