/**
 * One look at one refund that the caller holds by lease: ask under its reference, decide, write. If the
 * process dies between any two lines, the lease ends and another worker asks the same question.
 */
import { decideRefund } from "../../core/decide-refund"
import type { Decision, ExecutionLook } from "../../core/decision"
import type { Operation } from "../../core/operation"
import { nextRefundCheckInMs } from "../../core/refund-schedule"
import { leftOfWatchMs, nextWatchInMs } from "../../core/schedule"
import type { Execution, Gateway } from "../../gateway"
import type { Advance, Changes } from "../../ledger/advance-operation"
import { advanceRefund, type AdvancedRefund } from "../../ledger/advance-refund"
import type { Database } from "../../ledger/database"
import { findById } from "../../ledger/find-operations"
import { postponeOperation } from "../../ledger/postpone-operation"
import { alertReview } from "../alert-review"
import { askRefund } from "../ask-gateway"
import { pauseAccount } from "../pause-checks"
import type { RefundDeps } from "./refund-deps"
import { refundChanges, resendRefund } from "./send-refund"

/**
 * The caller holds the refund, which has a reference; the lease is given back.
 *
 * @returns what was written; undefined where nothing was, or somebody else has moved it meanwhile
 */
export async function lookAtRefund(
  deps: RefundDeps,
  gateway: Gateway,
  refund: Operation,
): Promise<AdvancedRefund | undefined> {
  if (refund.reference === null) throw new Error(`${refund.id} was sent without a reference`)
  await deps.budget.take(refund.accountId)
  deps.failpoints.at("refund_look.before_call")
  const { look, answer } = await askRefund(gateway, refund.reference)
  deps.failpoints.at("refund_look.answered")
  if (look.kind === "later") {
    const isTooMany = look.isTooMany === true
    await pauseAccount(deps, refund.accountId, { forMs: look.afterMs, isTooMany })
  }
  const decision = decideRefund(refund, look)
  if (decision.action === "resend") {
    await resendRefund(deps, gateway, refund)
    return undefined
  }
  deps.failpoints.at("refund_verdict.before_commit")
  const written = await write(deps, refund, decision, look, answer)
  deps.failpoints.at("refund_verdict.committed")
  return written
}

async function write(
  deps: RefundDeps,
  refund: Operation,
  decision: Decision,
  look: ExecutionLook,
  answer: Execution | undefined,
): Promise<AdvancedRefund | undefined> {
  const changes = changesOf(refund, decision, answer)
  const inMs = nextInMs(deps, refund, decision)
  if (decision.event === undefined && Object.keys(changes).length === 0) {
    await postponeOperation(deps.database, refund, {
      inMs: inMs ?? null,
      wasAnswered: answer !== undefined,
      isCounted: isCounted(refund, decision),
    })
    return undefined
  }
  const written = await persistRefund(deps.database, refund, {
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
          : refund.checks + (isCounted(refund, decision) ? 1 : 0),
    },
    next: inMs === undefined ? "never" : { inMs },
    lease: "release",
  })
  tell(deps, refund, written, decision.why)
  return written
}

/**
 * Medusa may have been answered in the meantime, which raises the version and changes nothing of what was
 * learned: written onto the row as it is now, as long as it still stands in the same state and is ours.
 */
async function persistRefund(
  database: Database,
  refund: Operation,
  advance: Advance,
): Promise<AdvancedRefund | undefined> {
  const written = await advanceRefund(database, refund, advance)
  if (written) return written
  const fresh = await findById(database, refund.id)
  const isOurs = fresh?.state === refund.state && fresh.leaseToken === refund.leaseToken
  return fresh && isOurs ? advanceRefund(database, fresh, advance) : undefined
}

function changesOf(refund: Operation, decision: Decision, answer: Execution | undefined): Changes {
  const { marks, event, reason } = decision
  const isBackInTime = event === "complete" && reason === undefined
  const isTakenBack = marks?.failed === false && refund.failedAt !== null
  return {
    ...(answer ? refundChanges(refund, answer) : {}),
    ...(reason !== undefined && reason !== refund.reason ? { reason } : {}),
    ...(isBackInTime || isTakenBack ? { reason: null } : {}),
    ...(isTakenBack ? { failedAt: false } : {}),
    ...(marks?.failed === true ? { failedAt: true } : {}),
    // Marked anew where the decision says so: what counts is when it was first not known since then.
    ...(marks?.absent === true ? { absentAt: true } : {}),
    ...(marks?.absent === false && refund.absentAt !== null ? { absentAt: false } : {}),
  }
}

/** Uses one look of the schedule up. */
function isCounted(refund: Operation, { next, event }: Decision): boolean {
  const isEarly = next.kind === "watch" && event === undefined && leftOfWatchMs(refund) > 0
  return next.kind !== "in" && !isEarly
}

/** Undefined: never again. */
function nextInMs(deps: RefundDeps, refund: Operation, decision: Decision): number | undefined {
  const { next, event } = decision
  const fraction = deps.random.fraction()
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
      const leftMs = leftOfWatchMs(refund)
      if (leftMs > 0) return leftMs
      return refund.state === "failed" || refund.state === "expired"
        ? nextWatchInMs(refund.state, refund.checks + 1, fraction)
        : nextRefundCheckInMs(refund, fraction)
    }
    case "schedule":
      return nextRefundCheckInMs(refund, fraction)
  }
}

/** Said once: a refund that did not go through may have been shown as done, and one that needs a person. */
function tell(
  deps: RefundDeps,
  before: Operation,
  written: AdvancedRefund | undefined,
  why: string,
): void {
  if (!written) return
  alertReview(deps, before, written.refund, why)
  const { refund } = written
  if (refund.state !== "failed" && refund.state !== "expired") return
  if (refund.state === before.state) return
  deps.logger.error(
    `merchant payments: the refund ${refund.id} of ${refund.parentId ?? "?"} did not go through ` +
      `(${refund.reason ?? "unknown"}): ${why}`,
  )
}

function noteOf(decision: Decision): string {
  if (decision.marks?.failed) return "failed_once"
  return decision.marks?.absent ? "absent" : "seen"
}
