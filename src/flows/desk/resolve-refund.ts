/**
 * A refund of which nobody knows what became of it, or that went through after it had been called failed.
 * Accepting says that it went through, dismissing that it did not; neither is believed against the
 * gateway's word. A refund that is dismissed after Medusa was told of it is put right there by the job.
 */
import { LIMITS } from "../../core/limits"
import type { Operation } from "../../core/operation"
import { Refusal } from "../../core/refusal"
import type { Advance } from "../../ledger/advance-operation"
import { advanceRefund, type AdvancedRefund } from "../../ledger/advance-refund"
import { findById } from "../../ledger/find-operations"
import type { FlowDeps } from "../deps"
import { showOutcome } from "../show-outcome"
import { askNow, factsOf, readNow, type GatewayNow } from "./ask-now"
import type { Resolution, Resolved } from "./resolve"

export async function acceptRefund(
  deps: FlowDeps,
  refund: Operation,
  { note, adminId }: Resolution,
): Promise<Resolved> {
  const now = await readNow(deps, refund)
  if (!now.isPaid) {
    throw new Refusal(
      "refund_not_completed",
      `The gateway does not say that the money went back: it reads ${now.execution ?? "nothing"}. ` +
        "Nothing was changed.",
      { reads: factsOf(now) },
    )
  }
  const isCounted = refund.surplus && (await hasRoomFor(deps, refund))
  const late = isCounted ? { surplus: false, undoneAt: false, recordedAt: false } : {}
  const written = await commit(deps, refund, {
    event: "accept",
    why: note,
    facts: { by: adminId, ...factsOf(now), reason: refund.reason },
    changes: {
      checks: 0,
      checkedAt: true,
      failedAt: false,
      absentAt: false,
      reason: null,
      ...late,
    },
    // What Medusa asked for it has to be shown there, too; the job looks whether it is.
    next: isToldToMedusa(refund, isCounted) ? { inMs: 0 } : "never",
    lease: "release",
    isCountedLate: isCounted,
  })
  const parent = written?.parent
  if (parent?.returnedAt && !parent.recordedAt) await showOutcome(deps, parent)
  return written ? now : "moved"
}

export async function dismissRefund(
  deps: FlowDeps,
  refund: Operation,
  { note, adminId }: Resolution,
): Promise<Resolved> {
  const isUnanswerable = refund.reason === "no_answer" || refund.reason === "credentials"
  const now = isUnanswerable ? await askNow(deps, refund) : await readNow(deps, refund)
  if (now.kind === "reads" && now.isPaid) {
    throw new Refusal(
      "refund_completed",
      "The gateway says that this refund went through. Nothing was changed.",
      { reads: factsOf(now) },
    )
  }
  if (now.kind === "reads" && now.isMoving) {
    throw new Refusal(
      "refund_in_progress",
      `The gateway works on this refund: it reads ${now.execution ?? "nothing"}. Nothing was changed.`,
      { reads: factsOf(now) },
    )
  }
  const written = await commit(deps, refund, {
    event: "dismiss",
    why: note,
    facts: { by: adminId, ...factsOf(now), reason: refund.reason },
    changes: { checks: 0, dismissedAt: true, reason: "unknown" },
    next: nextAfterDismissal(refund, now),
    lease: "release",
  })
  return written ? now : "moved"
}

async function commit(
  deps: FlowDeps,
  refund: Operation,
  decision: Advance & { readonly isCountedLate?: boolean },
): Promise<AdvancedRefund | undefined> {
  deps.failpoints.at("resolve_refund.before_commit")
  const written = await advanceRefund(deps.database, refund, decision)
  deps.failpoints.at("resolve_refund.committed")
  return written
}

/**
 * Went back late, and nobody has given that money back a second time: it is the payment's refund after
 * all, and Medusa is told so. Else it is more than was to go back, and stays beside the books.
 */
async function hasRoomFor(deps: FlowDeps, { parentId, amount }: Operation): Promise<boolean> {
  const parent = await findById(deps.database, parentId ?? "")
  if (!parent?.collected || parent.returnedAt) return false
  return parent.reservedRefundMinor + amount.minor <= parent.collected.minor
}

/**
 * Dismissed on a person's word alone it is watched as any that failed: it may have gone through. That the
 * gateway does not know it is not its word: what it accepted once may come back.
 */
function nextAfterDismissal(refund: Operation, now: GatewayNow): { inMs: number } | "never" {
  if (isToldToMedusa(refund)) return { inMs: 0 }
  const isSaid = now.kind === "reads" && now.execution === "FAILED"
  return isSaid ? "never" : { inMs: LIMITS.failedWatchMs[0] }
}

/** What went through twice is no refund of Medusa's any more: a person has put that right. */
function isToldToMedusa({ hostRefundId, surplus }: Operation, isCounted = false): boolean {
  return hostRefundId !== null && (!surplus || isCounted)
}
