/**
 * The end of a draft whose maker stopped. Nothing that can move money was sent, but a collection's
 * source may exist and be payable by anyone with its address; so the source is closed before the
 * draft ends.
 */
import { LIMITS } from "../core/limits"
import type { EventCode } from "../core/messages"
import type { EndReason, Operation } from "../core/operation"
import type { Failure, Gateway } from "../gateway"
import type { Advance } from "../ledger/advance-operation"
import { closeSource } from "./ask-gateway"
import type { FlowDeps, MoneyDeps } from "./deps"
import { pauseIfAsked } from "./pause-checks"
import { persist } from "./persist"
import type { ShopperTime } from "./shopper-time"

/** The caller holds the draft by lease; it is given back. */
export async function expireDraft(
  deps: FlowDeps,
  gateway: Gateway | undefined,
  draft: Operation,
): Promise<Operation | undefined> {
  return endDraft(deps, gateway, draft, draft.closing ?? "window_closed")
}

/**
 * @param shopper whose time the closing must fit into; left out: a job's
 * @returns the ended draft, or undefined when its source could not be closed
 */
export async function endDraft(
  deps: FlowDeps,
  gateway: Gateway | undefined,
  draft: Operation,
  reason: EndReason,
  shopper?: ShopperTime,
): Promise<Operation | undefined> {
  let sourceStatus = draft.sourceStatus
  if (draft.sourceId !== null && sourceStatus !== "CANCELED") {
    const asked = gateway && (await closeSource(gateway, draft, shopper?.callOptions))
    await pauseIfAsked(deps, draft.accountId, asked?.finding)
    sourceStatus = asked?.answer?.status ?? null
    const isGone = asked?.finding.kind === "absent"
    // With nobody to ask it is not waited for: nobody was given its address, and the sweep closes
    // it.
    const isWaited = gateway !== undefined && mayWait(draft, sourceStatus)
    if (sourceStatus !== "CANCELED" && !isGone && isWaited) {
      await persist(deps.database, draft, {
        event: { note: "closing" },
        code: "document_closing",
        next: { inMs: LIMITS.neverLandedAfterMs },
        lease: "release",
      })
      return undefined
    }
  }
  const ended = await persist(deps.database, draft, {
    event: "expire",
    code: "never_sent",
    changes: { reason, checks: 0, ...(sourceStatus ? { sourceStatus } : {}) },
    next: nextOf(draft, sourceStatus),
    lease: "release",
  })
  return ended
}

/**
 * A source that moves all the same is paid by another payer: the draft of a push sent nothing, so
 * it is the failed payment whose source it took over, or a person in the merchant's portal. The
 * draft must not hold its cart meanwhile; what comes is found by the watch. A page's source may
 * have been paid by its address; it is waited for, but not for ever.
 */
function mayWait(draft: Operation, sourceStatus: string | null): boolean {
  if (draft.readAt.getTime() - draft.createdAt.getTime() >= LIMITS.collectionAskMs) return false
  if (sourceStatus === "PAID") return false
  return !(draft.flow === "push" && sourceStatus === "PROCESSING")
}

/**
 * Money on the source of a draft is late money; the watch finds it, and closes what is still open.
 */
function nextOf(draft: Operation, sourceStatus: string | null): NonNullable<Advance["next"]> {
  if (draft.sourceId === null || sourceStatus === "CANCELED") return "never"
  return { inMs: sourceStatus === "PAID" ? 0 : LIMITS.expiredWatchMs[0] }
}

/** Who asks where the account's policy `refund_orphans` does. */
export const BY_POLICY = "policy refund_orphans"

/**
 * The draft of money that goes back or out, and was never sent, ends. The caller holds it by lease,
 * or finds it due: its maker has stopped. A session that the maker may have opened is never
 * executed.
 */
export async function abandonDraft(
  deps: Pick<MoneyDeps, "database">,
  draft: Operation,
  end: { readonly code: EventCode; readonly reason?: EndReason; readonly failure?: Failure },
): Promise<void> {
  const { code, reason = "never_landed", failure } = end
  await persist(deps.database, draft, {
    event: "expire",
    code,
    facts: failure ? { code: failure.error.code, detail: failure.error.detail ?? null } : {},
    changes: { reason },
    next: "never",
    lease: "release",
    // What a policy could not send it tries again.
    ...(draft.askedBy === BY_POLICY ? { parentInMs: LIMITS.policyRefundRetryMs[0] } : {}),
  })
}
