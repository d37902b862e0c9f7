/**
 * The outbox of refunds: what Medusa asked for and what went back, or is on its way, is brought into its
 * books, once. As a rule Medusa has written all of it by itself and this only sees it. Else the asking
 * process died, or was told that nobody knows yet, and Medusa shows nothing, or a half.
 *
 * Medusa is told under a mark (`refundMark`): our provider then takes the new row as this refund's and
 * asks nobody for money. It is read back before and after; a process that dies in between is followed by
 * one that reads again. What Medusa refuses is tried again, for ever, with an error in the log each time
 * once the quick tries are used up: the money is gone, and no person could decide otherwise.
 */
import { refundMark } from "../../core/adopt-refund"
import { errorText } from "../../core/error-text"
import { LIMITS } from "../../core/limits"
import type { Operation } from "../../core/operation"
import {
  decideDelivery,
  isUndelivered,
  standing,
  type Delivery,
  type ShownRefund,
} from "../../core/refund-delivery"
import { findById } from "../../ledger/find-operations"
import { postponeOperation, releaseOperation } from "../../ledger/postpone-operation"
import type { FlowDeps } from "../deps"
import type { HostRefundKey } from "../host"
import { persist } from "../persist"

/** The caller holds the refund by lease, and it `isUndelivered`; the lease is given back. */
export async function deliverRefund(deps: FlowDeps, refund: Operation): Promise<void> {
  try {
    const held = await deps.host.shownRefund(hostKeyOf(refund))
    deps.failpoints.at("refund_deliver.read")
    const delivery = decideDelivery(refund, held)
    if (delivery.kind === "wait") return await waitFor(deps, refund, delivery.ms)
    if (delivery.kind === "stuck") throw new Error(delivery.why)
    if (held && delivery.kind !== "record") await tellMedusa(deps, refund, held, delivery)
  } catch (error) {
    return await retryLater(deps, refund, error)
  }
  // The provider may have bound it to the row that Medusa has just made.
  const told = await findById(deps.database, refund.id)
  // Medusa took longer than the lease: whoever holds it now goes on with it.
  if (told && told.leaseToken !== refund.leaseToken) return
  if (!told || !isUndelivered(told)) return releaseOperation(deps.database, refund)
  const after = await deps.host.shownRefund(hostKeyOf(told))
  const isThere = after?.rows.some(({ isBound }) => isBound) === true
  if (isThere && (after.order === null || standing(after).length > 0)) {
    return markRecorded(deps, told)
  }
  return retryLater(deps, refund, new Error("Medusa does not show it yet"))
}

async function tellMedusa(
  deps: FlowDeps,
  refund: Operation,
  held: ShownRefund,
  delivery: Extract<Delivery, { kind: "complete" | "repeat" }>,
): Promise<void> {
  if (delivery.kind === "complete") return completeOnOrder(deps, refund, held, delivery.rowId)
  const { staleRowIds, isByWorkflow } = delivery
  if (staleRowIds.length > 0) {
    await deps.host.removeRefunds(staleRowIds)
    deps.failpoints.at("refund_deliver.row_removed")
  }
  deps.failpoints.at("refund_deliver.before_call")
  await deps.host.makeRefund({
    paymentId: held.paymentId,
    amount: amountOf(refund),
    createdBy: refundMark(refund.id),
    isByWorkflow,
  })
  deps.failpoints.at("refund_deliver.answered")
  if (isByWorkflow) return
  const bound = await findById(deps.database, refund.id)
  const after = bound && (await deps.host.shownRefund(hostKeyOf(bound)))
  const row = after?.rows.find(({ isBound }) => isBound)
  if (after && row) await completeOnOrder(deps, refund, after, row.id)
}

/**
 * The transaction comes last: it is by it that the refund counts as shown, and Medusa adds it to the
 * order's sums in the same commit.
 */
async function completeOnOrder(
  deps: FlowDeps,
  refund: Operation,
  held: ShownRefund,
  rowId: string,
): Promise<void> {
  const { order } = held
  if (order) {
    const written = { orderId: order.id, rowId, amount: amountOf(refund) }
    const isInTransactions = standing(held).length > 0
    await deps.host.addCreditLine({ ...written, isInTransactions })
    deps.failpoints.at("refund_deliver.credited")
    await deps.host.recountOrder(order.id)
    deps.failpoints.at("refund_deliver.recounted")
    if (!isInTransactions) await deps.host.addRefundTransaction(written)
  }
  deps.failpoints.at("refund_deliver.completed")
  await deps.host.recountCollection(refund.paymentCollectionId)
}

async function markRecorded(deps: FlowDeps, refund: Operation): Promise<void> {
  deps.failpoints.at("refund_recorded.before_commit")
  await persist(deps.database, refund, {
    event: { note: "recorded" },
    why: "Medusa shows the refund, and its order the money that went back",
    changes: {
      recordedAt: true,
      settleAttempts: 0,
      ...(refund.answeredAt ? {} : { answeredAt: true }),
    },
    // What is still on its way is followed as before.
    ...(refund.state === "completed" ? { next: "never" as const } : {}),
    lease: "release",
  })
  deps.failpoints.at("refund_recorded.committed")
}

/** Never later than the gateway was to be asked. */
async function waitFor(deps: FlowDeps, refund: Operation, ms: number): Promise<void> {
  await postponeOperation(deps.database, refund, {
    inMs: refund.state === "completed" ? ms : Math.min(ms, dueInMs(refund)),
    wasAnswered: false,
    isCounted: false,
  })
}

function dueInMs({ nextCheckAt, readAt }: Operation): number {
  return nextCheckAt ? Math.max(0, nextCheckAt.getTime() - readAt.getTime()) : 0
}

async function retryLater(deps: FlowDeps, refund: Operation, error: unknown): Promise<void> {
  const attempt = refund.settleAttempts
  const inMs = LIMITS.settleRetryMs[attempt]
  const text =
    `merchant payments: the refund ${refund.id} of ${refund.parentId ?? "?"} went out, but Medusa ` +
    `could not take it (${attempt + 1} tries): ${errorText(error)}`
  if (inMs === undefined) deps.logger.error(text)
  else deps.logger.warn(text)
  deps.failpoints.at("refund_deliver_later.before_commit")
  await persist(deps.database, refund, {
    event: { note: "delivery_refused" },
    why: `Medusa could not take the refund: ${errorText(error)}`,
    changes: { settleAttempts: attempt + 1 },
    next: { inMs: nextTryInMs(refund, inMs ?? LIMITS.refundHostSlowRetryMs) },
    lease: "release",
  })
  deps.failpoints.at("refund_deliver_later.committed")
}

function nextTryInMs(refund: Operation, ms: number): number {
  return refund.state === "completed" ? ms : Math.min(ms, dueInMs(refund))
}

export function hostKeyOf(refund: Operation): HostRefundKey {
  return {
    operationId: refund.id,
    hostRefundId: refund.hostRefundId,
    hostAmount: amountOf(refund),
    collectionId: refund.paymentCollectionId,
    sessionId: refund.paymentSessionId,
    providerId: refund.providerId,
  }
}

function amountOf(refund: Operation): string {
  if (refund.hostAmount === null) throw new Error(`${refund.id} is a refund of no amount`)
  return refund.hostAmount
}
