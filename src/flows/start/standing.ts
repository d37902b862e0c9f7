/**
 * What already stands in the way of a new payment of the same collection, and what becomes of it:
 * a live one with the same facts is given back (double click, second tab, refresh, replaced session), a
 * draft is continued, a hosted one for other facts is closed first, an ended one's source is taken over
 * or closed. Only when nothing can take money any more does a new operation begin.
 */
import { LIMITS } from "../../core/limits"
import { sameMoney } from "../../core/money"
import { hasRunningStart, isLive, isRecorded, type Operation } from "../../core/operation"
import { Refusal } from "../../core/refusal"
import { statusOf, type Status } from "../../core/status"
import { bringForward, markWaiting } from "../../ledger/bring-forward"
import { claimOperation } from "../../ledger/claim-due-operations"
import {
  findByCollection,
  findById,
  findEndedWithOpenSource,
  findLiveOfCollection,
} from "../../ledger/find-operations"
import { rebindOperation } from "../../ledger/rebind-operation"
import { askSource, closeSource } from "../ask-gateway"
import { checkOperation } from "../check-operation"
import type { FlowDeps } from "../deps"
import { endDraft } from "../expire-draft"
import { persist } from "../persist"
import type { StartContext } from "./context"
import { gatewayUnavailable } from "./refuse-for"

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
  if (payable.hasPayment)
    throw new Refusal("already_paid", "This is paid already.", { payment: null })
  if (shown?.state === "review" && !shown.surplus) {
    throw new Refusal("under_review", "We have your payment and look into it. Do not pay again.", {
      payment: statusOf(shown),
    })
  }
  const isOver = shown?.windowEndsAt && shown.windowEndsAt.getTime() <= shown.readAt.getTime()
  if (payable.isOrderCanceled || isOver) {
    throw new Refusal("order_closed", "This order can't be paid any more. Place a new one.", {
      payment: shown ? statusOf(shown) : null,
    })
  }
  if (!shown || !isLive(shown)) return { kind: "free" }
  return isSamePayment(shown, context) && !isNearlyOver(shown)
    ? resume(deps, context, shown)
    : replace(deps, context, shown)
}

export function isSamePayment(operation: Operation, context: StartContext): boolean {
  return (
    operation.providerId === context.payable.providerId &&
    sameMoney(operation.amount, context.amount)
  )
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
  const held = canClose ? await claimOperation(deps.database, live.id, LIMITS.leaseMs) : undefined
  if (!held) throw inProgress(live)
  if (held.state === "drafted") await endDraft(deps, context.gateway, held, "canceled")
  else await closeHosted(deps, context, held)
  const still = await findLiveOfCollection(deps.database, context.payable.collectionId)
  if (still) throw inProgress(still)
  return { kind: "free" }
}

async function closeHosted(deps: FlowDeps, context: StartContext, held: Operation): Promise<void> {
  const closing = await persist(deps.database, held, {
    event: { note: "closing" },
    why: "another total or another way to pay was chosen",
    changes: { closing: "canceled" },
  })
  if (closing) await checkOperation(deps, context.gateway, closing)
}

export type TakenOver = { readonly sourceId: number; readonly partyId: number }

/**
 * Ended operations whose source may still be payable. The newest failed push's is taken over when it
 * still fits; every other is closed, and seen `CANCELED`, before a new source is made.
 *
 * @throws Refusal `payment_in_progress` when money moves after all, `gateway_unavailable`
 */
export async function clearEnded(
  deps: FlowDeps,
  context: StartContext,
  lines: Operation["lines"],
): Promise<TakenOver | undefined> {
  const ended = await findEndedWithOpenSource(deps.database, context.payable.collectionId)
  let takenOver: TakenOver | undefined
  const seen = new Set<number>()
  for (const operation of ended) {
    const { sourceId, partyId } = operation
    if (sourceId === null || seen.has(sourceId)) continue
    seen.add(sourceId)
    const mayTakeOver = !takenOver && canTakeOver(operation, context, lines)
    const asked = mayTakeOver
      ? await askSource(context.gateway, operation)
      : await closeSource(context.gateway, operation)
    const status = asked.look.kind === "seen" ? asked.look.status : undefined
    if (mayTakeOver && status === "ACTIVE" && partyId !== null) {
      takenOver = { sourceId, partyId }
      continue
    }
    await settleEnded(deps, operation, status, asked.look.kind === "absent")
  }
  return takenOver
}

async function settleEnded(
  deps: FlowDeps,
  operation: Operation,
  status: string | undefined,
  isAbsent: boolean,
): Promise<void> {
  if (status === "CANCELED" || isAbsent) {
    await persist(deps.database, operation, {
      event: { note: "source_closed" },
      why: "its source can't be paid any more",
      changes: { sourceStatus: "CANCELED" },
    })
    return
  }
  if (status === undefined) throw gatewayUnavailable()
  await bringForward(deps.database, operation.id, 0)
  throw inProgress(operation)
}

function canTakeOver(
  operation: Operation,
  context: StartContext,
  lines: Operation["lines"],
): boolean {
  return (
    operation.state === "failed" &&
    operation.flow === "push" &&
    context.flow === "push" &&
    operation.accountId === context.account.id &&
    operation.expiresAt.getTime() - operation.readAt.getTime() > LIMITS.shopperBudgetMs * 4 &&
    isSamePayment(operation, context) &&
    operation.lines.length === lines.length &&
    operation.lines.every((line, index) => {
      const other = lines[index]
      return other?.name === line.name && other.amount.minor === line.amount.minor
    })
  )
}

async function rebindTo(deps: FlowDeps, live: Operation, sessionId: string): Promise<Operation> {
  if (live.paymentSessionId === sessionId) return live
  return (await rebindOperation(deps.database, live, sessionId)) ?? live
}

export function inProgress(operation: Operation): Refusal {
  return new Refusal(
    "payment_in_progress",
    "A payment of this cart is under way. Wait for its result before you change anything.",
    { payment: statusOf(operation) },
  )
}
