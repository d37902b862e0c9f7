/**
 * A draft whose `start` never came to its end. Nothing that can move money was sent, but its source may
 * exist and be payable by whoever holds its address; so the source is closed before the draft ends.
 */
import { LIMITS } from "../core/limits"
import type { EndReason, Operation } from "../core/operation"
import type { Advance } from "../ledger/advance-operation"
import type { Gateway } from "../gateway"
import { closeSource } from "./ask-gateway"
import type { FlowDeps } from "./deps"
import { persist } from "./persist"

/** The caller holds the draft by lease; it is given back. */
export async function expireDraft(
  deps: FlowDeps,
  gateway: Gateway | undefined,
  draft: Operation,
  reason: EndReason = "window_closed",
): Promise<void> {
  await endDraft(deps, gateway, draft, reason)
}

/** @returns the ended draft, or undefined when its source could not be closed */
export async function endDraft(
  deps: FlowDeps,
  gateway: Gateway | undefined,
  draft: Operation,
  reason: EndReason,
): Promise<Operation | undefined> {
  let sourceStatus = draft.sourceStatus
  if (draft.sourceId !== null && sourceStatus !== "CANCELED") {
    deps.failpoints.at("end.before_call")
    const asked = gateway && (await closeSource(gateway, draft))
    deps.failpoints.at("end.answered")
    sourceStatus = asked?.answer?.status ?? null
    const isGone = asked?.look.kind === "absent"
    if (sourceStatus !== "CANCELED" && !isGone && mayWait(draft, sourceStatus)) {
      await persist(deps.database, draft, {
        event: { note: "closing" },
        why: "the draft's source is not closed yet",
        next: { inMs: LIMITS.neverLandedAfterMs },
        lease: "release",
      })
      return undefined
    }
  }
  deps.failpoints.at("end.before_commit")
  const ended = await persist(deps.database, draft, {
    event: "expire",
    why: "the draft was never submitted",
    changes: { reason, checks: 0, ...(sourceStatus ? { sourceStatus } : {}) },
    next: nextOf(draft, sourceStatus),
    lease: "release",
  })
  deps.failpoints.at("end.committed")
  return ended
}

/**
 * A source that moves all the same was paid by somebody else: the draft of a push sent nothing, so it is
 * the failed payment whose source it took over, and that one is watched. The draft must not hold its
 * cart. A page's source may have been paid by its address; it is waited for, but not for ever.
 */
function mayWait(draft: Operation, sourceStatus: string | null): boolean {
  if (draft.readAt.getTime() - draft.createdAt.getTime() >= LIMITS.collectionAskMs) return false
  if (sourceStatus === "PAID") return false
  return !(draft.flow === "push" && sourceStatus === "PROCESSING")
}

/** Money on the page of a draft is late money, found by the watch. */
function nextOf(draft: Operation, sourceStatus: string | null): NonNullable<Advance["next"]> {
  const isClosed = draft.sourceId === null || sourceStatus === "CANCELED"
  if (isClosed || draft.flow !== "hosted") return "never"
  return { inMs: sourceStatus === "PAID" ? 0 : LIMITS.expiredWatchMs[0] }
}
