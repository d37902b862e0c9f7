/**
 * A draft whose `start` never came to its end. Nothing that can move money was sent, but its source may
 * exist and be payable by whoever holds its address; so the source is closed before the draft ends.
 */
import { LIMITS } from "../core/limits"
import type { EndReason, Operation } from "../core/operation"
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
    const asked = gateway && (await closeSource(gateway, draft))
    sourceStatus = asked?.answer?.status ?? null
    const isGone = asked?.look.kind === "absent"
    if (sourceStatus !== "CANCELED" && !isGone) {
      await persist(deps.database, draft, {
        event: { note: "closing" },
        why: "the draft's source is not closed yet",
        next: { inMs: LIMITS.neverLandedAfterMs },
        lease: "release",
      })
      return undefined
    }
  }
  return persist(deps.database, draft, {
    event: "expire",
    why: "the draft was never submitted",
    changes: { reason, ...(sourceStatus ? { sourceStatus } : {}) },
    next: "never",
    lease: "release",
  })
}
