/**
 * Ends a draft whose maker stopped. Nothing that can move money was sent, but a collection's source
 * may exist, and anyone with its address could pay it; so the source is closed before the draft
 * ends.
 */
import { LIMITS } from "../core/limits"
import type { EventCode } from "../core/messages"
import { isPush, type EndReason, type Operation } from "../core/operation"
import { stateWord, type Failure, type Gateway, type GatewayError } from "../gateway"
import type { Advance } from "../ledger/advance-operation"
import { closeSource } from "./ask-gateway"
import type { FlowDeps, MoneyDeps } from "./deps"
import { pauseIfAsked } from "./pause-checks"
import { persist } from "./persist"
import type { ShopperTime } from "./shopper-time"

/**
 * The caller holds the draft by lease; the lease is given back.
 *
 * @param shopper whose time the closing must fit into; left out: it is a job's call
 * @param refused the gateway's refusal of a call that comes before the execution
 * @returns the ended draft, or undefined when its source could not be closed
 */
export async function endDraft(
  deps: FlowDeps,
  gateway: Gateway | undefined,
  draft: Operation,
  reason: EndReason,
  shopper?: ShopperTime,
  refused?: GatewayError,
): Promise<Operation | undefined> {
  let sourceStatus = draft.sourceStatus
  if (draft.sourceId !== null && sourceStatus !== "CANCELED") {
    const asked = gateway && (await closeSource(gateway, draft, shopper?.callOptions))
    await pauseIfAsked(deps, draft.accountId, asked?.finding)
    sourceStatus = asked?.answer?.status ?? null
    const isGone = asked?.finding.kind === "absent"
    // Without a client the draft does not wait: no shopper has the source's address, and the sweep
    // closes the source.
    const isWaited = gateway !== undefined && mayWait(draft, sourceStatus)
    if (sourceStatus !== "CANCELED" && !isGone && isWaited) {
      await persist(deps.database, draft, {
        event: { note: "closing" },
        code: "source_closing",
        next: { inMs: LIMITS.neverLandedAfterMs },
        lease: "release",
      })
      return undefined
    }
  }
  return persist(deps.database, draft, {
    event: "expire",
    code: "never_sent",
    facts: refused ? saidIn(refused) : {},
    changes: {
      reason,
      checks: 0,
      ...(sourceStatus ? { sourceStatus: stateWord(sourceStatus) } : {}),
    },
    next: nextOf(draft, sourceStatus),
    lease: "release",
  })
}

/**
 * A push's draft sent nothing: if its source moves, the failed payment that had it before pays, or
 * a payer in the merchant's portal. The draft must not hold its cart; the watch finds the money. A
 * page's source may be paid by its address, so the draft waits, but not for ever.
 */
function mayWait(draft: Operation, sourceStatus: string | null): boolean {
  if (draft.readAt.getTime() - draft.createdAt.getTime() >= LIMITS.collectionAskMs) return false
  if (sourceStatus === "PAID") return false
  return !(isPush(draft) && sourceStatus === "PROCESSING")
}

/** Money on a draft's source is late money; the watch finds it, and closes what is still open. */
function nextOf(draft: Operation, sourceStatus: string | null): NonNullable<Advance["next"]> {
  if (draft.sourceId === null || sourceStatus === "CANCELED") return "never"
  return { inMs: sourceStatus === "PAID" ? 0 : LIMITS.expiredWatchMs[0] }
}

/** The facts of a refusal that an event keeps. */
export function saidIn(error: GatewayError) {
  return { call: error.operation, code: error.code, detail: error.said ?? null }
}

/** The name in `askedBy` of a refund that the account's policy `refund_orphans` makes. */
export const BY_REFUND_ORPHANS = "policy refund_orphans"

/**
 * Ends a draft of money that goes back or out and was never sent. The caller holds it by lease. A
 * gateway session that its stopped maker may have opened is never executed.
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
    facts: failure ? saidIn(failure.error) : {},
    changes: { reason },
    next: "never",
    lease: "release",
    // A policy tries again the refund that it could not send.
    ...(draft.askedBy === BY_REFUND_ORPHANS ? { parentInMs: LIMITS.policyRefundRetryMs[0] } : {}),
  })
}
