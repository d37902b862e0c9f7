/**
 * What already stands in the way of a new payment of the same collection, and what becomes of it:
 * a live one with the same facts is given back (double click, second tab, refresh, replaced session), a
 * draft is continued, a hosted one for other facts is closed first. Sources of ended ones are in
 * `clear-ended.ts`. Only when nothing can take money any more does a new operation begin.
 */
import { LIMITS } from "../../core/limits"
import { sameMoney } from "../../core/money"
import {
  hasRunningStart,
  isLive,
  isOwedToMedusa,
  isRecorded,
  type Operation,
} from "../../core/operation"
import { Refusal } from "../../core/refusal"
import { statusOf, type Status } from "../../core/status"
import { markWaiting } from "../../ledger/bring-forward"
import { claimOperation } from "../../ledger/claim-due-operations"
import {
  findByCollection,
  findById,
  findLiveOfCollection,
  findSurplusOfCollection,
} from "../../ledger/find-operations"
import { releaseOperation } from "../../ledger/postpone-operation"
import { rebindOperation } from "../../ledger/rebind-operation"
import { checkOperation } from "../check-operation"
import type { FlowDeps } from "../deps"
import { endDraft } from "../expire-draft"
import { persist } from "../persist"
import type { StartContext } from "./context"

export type Standing =
  | { readonly kind: "answer"; readonly status: Status }
  | { readonly kind: "continue"; readonly draft: Operation }
  | { readonly kind: "free" }

/** @throws Refusal `already_paid`, `under_review`, `payment_in_progress`, `order_closed` */
export async function meetStanding(deps: FlowDeps, context: StartContext): Promise<Standing> {
  const { payable } = context
  const shown = await findByCollection(deps.database, payable.collectionId)
  if (shown && isRecorded(shown)) {
    throw new Refusal("already_paid", "This is paid already.", { payment: statusOf(shown) })
  }
  // Ours on its way into Medusa is answered below.
  if (payable.hasPayment && !(shown && isOwedToMedusa(shown))) {
    throw new Refusal("already_paid", "This is paid already.", { payment: null })
  }
  if (shown?.state === "review" && !shown.surplus) {
    throw underReview(shown)
  }
  const isOver = shown?.windowEndsAt && shown.windowEndsAt.getTime() <= shown.readAt.getTime()
  if (payable.isOrderCanceled || isOver) {
    throw orderClosed(shown ? statusOf(shown) : null)
  }
  if (!shown) return { kind: "free" }
  if (!isLive(shown)) {
    // It came while another payment stood in its place, and that one has ended without money.
    const surplus = await findSurplusOfCollection(deps.database, payable.collectionId)
    if (surplus) throw underReview(surplus)
    return { kind: "free" }
  }
  return isSamePayment(shown, context) && !isNearlyOver(shown)
    ? resume(deps, context, shown)
    : replace(deps, context, shown)
}

export function isSamePayment(operation: Operation, context: StartContext): boolean {
  return (
    operation.providerId === context.payable.providerId &&
    sameMoney(operation.amount, context.amount) &&
    !(operation.state === "drafted" && isSpentDraft(operation, context))
  )
}

/** A draft that is to be closed is not continued, nor one whose source lets somebody else bear the fees. */
function isSpentDraft(operation: Operation, context: StartContext): boolean {
  const isOtherBearer = operation.feeBearer !== context.account.feeBearer
  return operation.closing !== null || (operation.sourceId !== null && isOtherBearer)
}

/** A draft whose source would end while the shopper looks for the phone. */
function isNearlyOver(operation: Operation): boolean {
  const leftMs = operation.expiresAt.getTime() - operation.readAt.getTime()
  return (
    operation.state === "drafted" &&
    !hasRunningStart(operation) &&
    operation.sourceId !== null &&
    leftMs < LIMITS.pushWindowMs / 3
  )
}

/** The same payment is live: the shopper gets it back, bound to the session that asks. */
export async function resume(
  deps: FlowDeps,
  context: StartContext,
  live: Operation,
): Promise<Standing> {
  const bound = await rebindTo(deps, live, context.payable.id)
  if (bound.state === "drafted") {
    if (hasRunningStart(bound)) return { kind: "answer", status: statusOf(bound) }
    const draft = await claimOperation(deps.database, bound.id, LIMITS.startLeaseMs)
    return draft?.state === "drafted"
      ? { kind: "continue", draft }
      : { kind: "answer", status: statusOf((await findById(deps.database, bound.id)) ?? bound) }
  }
  await markWaiting(deps.database, bound.id, {
    atMostEveryMs: 0,
    lookWithinMs: LIMITS.waitingCheckFloorMs,
  })
  return { kind: "answer", status: statusOf(bound) }
}

/** Another total or another way to pay: what is live must be unable to take money first. */
async function replace(deps: FlowDeps, context: StartContext, live: Operation): Promise<Standing> {
  const canClose =
    (live.state === "drafted" && !hasRunningStart(live)) ||
    (live.flow === "hosted" && (live.state === "submitted" || live.state === "in_flight"))
  const held = canClose ? await claimClosable(deps, live) : undefined
  if (!held) throw inProgress(live)
  if (held.state === "drafted") await endDraft(deps, context.gateway, held, "canceled")
  else await closeHosted(deps, context, held)
  const still = await findLiveOfCollection(deps.database, context.payable.collectionId)
  if (still) throw inProgress(still)
  return { kind: "free" }
}

/** Takes an operation to close it, unless it has moved on since it was read. */
export async function claimClosable(
  deps: Pick<FlowDeps, "database">,
  read: Operation,
): Promise<Operation | undefined> {
  const held = await claimOperation(deps.database, read.id, LIMITS.leaseMs)
  const isOpenPage =
    held?.flow === "hosted" && (held.state === "submitted" || held.state === "in_flight")
  if (!held || held.state === "drafted" || isOpenPage) return held
  await releaseOperation(deps.database, held)
  return undefined
}

async function closeHosted(deps: FlowDeps, context: StartContext, held: Operation): Promise<void> {
  deps.failpoints.at("replaced.before_commit")
  const closing = await persist(deps.database, held, {
    event: { note: "closing" },
    why: "another total or another way to pay was chosen",
    changes: { closing: "canceled" },
  })
  deps.failpoints.at("replaced.committed")
  if (closing) await checkOperation(deps, context.gateway, closing)
}

async function rebindTo(deps: FlowDeps, live: Operation, sessionId: string): Promise<Operation> {
  if (live.paymentSessionId === sessionId) return live
  return (await rebindOperation(deps.database, live, sessionId)) ?? live
}

export function underReview(operation: Operation): Refusal {
  return new Refusal("under_review", "We have your payment and look into it. Do not pay again.", {
    payment: statusOf(operation),
  })
}

export function orderClosed(payment: Status | null): Refusal {
  return new Refusal("order_closed", "This order can't be paid any more. Place a new one.", {
    payment,
  })
}

export function inProgress(operation: Operation): Refusal {
  return new Refusal(
    "payment_in_progress",
    "A payment of this cart is under way. Wait for its result before you change anything.",
    { payment: statusOf(operation) },
  )
}
