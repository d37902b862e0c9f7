/**
 * A refund, a payout or a transfer whose end is not known, or that went through after it had been
 * called ended. Accepting says that it went through, dismissing that it did not; neither is
 * believed against the gateway's word.
 */
import { LIMITS } from "../core/limits"
import type { Operation } from "../core/operation"
import { refusal } from "../core/refusal"
import { findById } from "../ledger/find-operations"
import { factsOf, type GatewayNow } from "../engine/ask-now"
import type { FlowDeps } from "../engine/deps"
import type { Rule } from "./resolution"

export const moneyOutRule: Rule = {
  async accept(deps, operation, now) {
    if (!now.isPaid) {
      const key = operation.type === "REFUND" ? "refund_not_completed" : "not_paid"
      throw refusal(key, { reads: now.execution }, { reads: factsOf(now) })
    }
    const isCountedLate = operation.isDuplicate && (await hasRoomFor(deps, operation))
    return {
      changes: isCountedLate ? { isDuplicate: false, undoneAt: false, recordedAt: false } : {},
      // The job brings into Medusa's records what Medusa asked for.
      next: isToldToMedusa(operation, isCountedLate) ? { inMs: 0 } : "never",
      isCountedLate,
      shown: ({ parent }) => (parent?.returnedAt && !parent.recordedAt ? parent : undefined),
    }
  },
  dismiss(operation, now) {
    refuseSent(operation, now)
    return { changes: { checks: 0, reason: "unknown" }, next: nextAfterDismissal(operation, now) }
  },
}

/** @throws Refusal */
function refuseSent({ type }: Operation, now: GatewayNow): void {
  if (now.kind !== "reads" || !(now.isPaid || now.isMoving)) return
  const reads = { reads: factsOf(now) }
  if (type === "REFUND") {
    throw now.isPaid
      ? refusal("refund_completed", {}, reads)
      : refusal("refund_in_progress", { reads: now.execution }, reads)
  }
  const key = now.isPaid ? "action_not_possible.sent" : "action_not_possible.under_way"
  throw refusal(key, {}, reads)
}

/**
 * A late refund whose money did not go back a second time is the payment's refund after all, and is
 * recorded in Medusa. Else it is more than was to go back, and stays out of Medusa's records.
 */
async function hasRoomFor(deps: FlowDeps, { parentId, amount }: Operation): Promise<boolean> {
  const parent = await findById(deps.database, parentId ?? "")
  if (!parent?.collected || parent.returnedAt) return false
  return parent.reservedRefundMinor + amount.minor <= parent.collected.minor
}

/**
 * Dismissed on an admin's word alone it is watched like one that failed: it may have gone through.
 * A gateway that does not know it proves nothing: what it accepted once may come back.
 */
function nextAfterDismissal(operation: Operation, now: GatewayNow): { inMs: number } | "never" {
  if (isToldToMedusa(operation)) return { inMs: 0 }
  const isSaid = now.kind === "reads" && now.execution === "FAILED"
  return isSaid ? "never" : { inMs: LIMITS.failedWatchMs[0] }
}

/** What went through twice is no refund of Medusa's: an admin has put that right. */
function isToldToMedusa({ hostRefundId, isDuplicate }: Operation, isCounted = false): boolean {
  return hostRefundId !== null && (!isDuplicate || isCounted)
}
