/**
 * One look at one payout or transfer that the caller holds by lease: ask under its reference, decide,
 * write. It never sends. If the process dies between any two lines, the lease ends and another worker
 * asks the same question.
 */
import type { Decision, ExecutionLook } from "../../core/decision"
import { decidePayout } from "../../core/decide-payout"
import type { Operation } from "../../core/operation"
import { nextRefundCheckInMs } from "../../core/refund-schedule"
import { leftOfWatchMs, nextWatchInMs } from "../../core/schedule"
import type { Execution, Gateway } from "../../gateway"
import type { Changes } from "../../ledger/advance-operation"
import { postponeOperation } from "../../ledger/postpone-operation"
import { alertReview } from "../alert-review"
import { askMoneyOut } from "../ask-gateway"
import { pauseAccount } from "../pause-checks"
import { persist } from "../persist"
import type { PayoutDeps } from "./payout-deps"
import { payoutChanges } from "./send-once"

/** The caller holds it, and it has a reference; the lease is given back. */
export async function lookAtPayout(
  deps: PayoutDeps,
  gateway: Gateway,
  operation: Operation,
): Promise<void> {
  const { reference, type, accountId } = operation
  if (reference === null) throw new Error(`${operation.id} was sent without a reference`)
  await deps.budget.take(accountId)
  deps.failpoints.at("payout_look.before_call")
  const { look, answer } = await askMoneyOut(gateway, type, reference)
  deps.failpoints.at("payout_look.answered")
  if (look.kind === "later") {
    await pauseAccount(deps, accountId, {
      forMs: look.afterMs,
      isTooMany: look.isTooMany === true,
    })
  }
  const decision = decidePayout(operation, look)
  deps.failpoints.at("payout_verdict.before_commit")
  await write(deps, operation, decision, look, answer)
  deps.failpoints.at("payout_verdict.committed")
}

async function write(
  deps: PayoutDeps,
  operation: Operation,
  decision: Decision,
  look: ExecutionLook,
  answer: Execution | undefined,
): Promise<void> {
  const changes = changesOf(operation, decision, answer)
  const inMs = nextInMs(deps, operation, decision)
  if (decision.event === undefined && Object.keys(changes).length === 0) {
    return postponeOperation(deps.database, operation, {
      inMs: inMs ?? null,
      wasAnswered: answer !== undefined,
      isCounted: isCounted(operation, decision),
    })
  }
  const written = await persist(deps.database, operation, {
    event: decision.event ?? { note: noteOf(decision) },
    why: decision.why,
    facts: { execution: look.kind === "seen" ? look.status : look.kind },
    changes: {
      ...changes,
      checkedAt: true,
      // An end starts the watch's own count.
      checks:
        decision.event && decision.event !== "see"
          ? 0
          : operation.checks + (isCounted(operation, decision) ? 1 : 0),
    },
    next: inMs === undefined ? "never" : { inMs },
    lease: "release",
  })
  alertReview(deps, operation, written, decision.why)
  tell(deps, operation, written, decision.why)
}

function changesOf(
  operation: Operation,
  decision: Decision,
  answer: Execution | undefined,
): Changes {
  const { marks, event, reason } = decision
  const isDone = event === "complete" && reason === undefined
  const isTakenBack = marks?.failed === false && operation.failedAt !== null
  return {
    ...(answer ? payoutChanges(operation, answer) : {}),
    ...(reason !== undefined && reason !== operation.reason ? { reason } : {}),
    ...(isDone || isTakenBack ? { reason: null } : {}),
    ...(isTakenBack ? { failedAt: false } : {}),
    ...(marks?.failed === true ? { failedAt: true } : {}),
    // Marked anew where the decision says so: what counts is when it was first not known since then.
    ...(marks?.absent === true ? { absentAt: true } : {}),
    ...(marks?.absent === false && operation.absentAt !== null ? { absentAt: false } : {}),
  }
}

/** Uses one look of the schedule up. */
function isCounted(operation: Operation, { next, event }: Decision): boolean {
  const isEarly = next.kind === "watch" && event === undefined && leftOfWatchMs(operation) > 0
  return next.kind !== "in" && !isEarly
}

/** Undefined: never again. */
function nextInMs(
  deps: Pick<PayoutDeps, "random">,
  operation: Operation,
  { next, event }: Decision,
): number | undefined {
  const fraction = deps.random.fraction()
  if (event === "complete" || event === "doubt") return undefined
  if (next.kind === "now") return 0
  if (next.kind === "in") return next.ms
  const { state, checks } = operation
  const leftMs = leftOfWatchMs(operation)
  if (next.kind === "watch" && event === undefined && leftMs > 0) return leftMs
  if (next.kind === "watch" && (event === "fail" || event === "expire")) {
    return nextWatchInMs(event === "fail" ? "failed" : "expired", 0, fraction)
  }
  return next.kind === "watch" && (state === "failed" || state === "expired")
    ? nextWatchInMs(state, checks + 1, fraction)
    : nextRefundCheckInMs(operation, fraction)
}

/** Said once: whoever asked for it may have left the page. */
function tell(
  deps: Pick<PayoutDeps, "logger">,
  before: Operation,
  after: Operation | undefined,
  why: string,
): void {
  if (!after || after.state === before.state) return
  if (after.state !== "failed" && after.state !== "expired") return
  const what = after.type === "PAYOUT" ? "payout" : "transfer"
  deps.logger.error(
    `merchant payments: the ${what} ${after.id} did not go through (${after.reason ?? "unknown"}): ${why}`,
  )
}

function noteOf({ marks }: Decision): string {
  if (marks?.failed) return "failed_once"
  return marks?.absent ? "absent" : "seen"
}
