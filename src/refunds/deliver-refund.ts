/**
 * The outbox of refunds: what Medusa asked for, and what went back or is on its way, is brought
 * into Medusa's records, once. Mostly Medusa has written all of it. Else the asking process died,
 * or was refused while nothing was known yet, and Medusa shows nothing, or a half.
 *
 * Medusa makes the refund under a mark (`refundMark`): our provider takes the new row as this
 * refund's and sends nothing. What Medusa refuses is tried again for ever: the money is gone.
 */
import type { RefundRecords } from "../core/host-records"
import { LIMITS } from "../core/limits"
import { sentence } from "../core/messages"
import { isUndelivered, type Operation } from "../core/operation"
import { findById } from "../ledger/find-operations"
import { keepLeases, postponeOperation, releaseOperation } from "../ledger/postpone-operation"
import type { FlowDeps } from "../engine/deps"
import { postponedIfBusy } from "../engine/one-at-a-time"
import { persist } from "../engine/persist"
import { hostKeyOf, knownOf, repairRecords, retryRecords } from "./repair-records"
import { refundMark } from "./rules/adopt-refund"
import { judgeRecords } from "./rules/refund-records"
import { decideDelivery, type Delivery } from "./rules/refund-repair"

/** The caller holds the refund by lease, and it `isUndelivered`; the lease is given back. */
export async function deliverRefund(deps: FlowDeps, refund: Operation): Promise<void> {
  try {
    const known = await knownOf(deps, hostKeyOf(refund))
    if (!known) throw new Error("Medusa holds no captured payment of it")
    const delivery = decideDelivery(refund, known)
    if (delivery.kind === "wait") return await waitFor(deps, refund, delivery.ms)
    if (delivery.kind !== "record") await repair(deps, refund, known.records, delivery)
  } catch (error) {
    return await retryLater(deps, refund, error)
  }
  // The provider may have bound it to the row that Medusa has just made.
  const now = await findById(deps.database, refund.id)
  // Medusa took longer than the lease; the worker that holds the refund now goes on with it.
  if (now && now.leaseToken !== refund.leaseToken) return
  if (!now || !isUndelivered(now)) return releaseOperation(deps.database, refund)
  const known = await knownOf(deps, hostKeyOf(now))
  const after = known && decideDelivery(now, known)
  if (after?.kind === "record") return markRecorded(deps, now, after.isLineUnclear)
  return retryLater(deps, refund, new Error("Medusa does not show it yet"))
}

async function repair(
  deps: FlowDeps,
  refund: Operation,
  records: RefundRecords,
  delivery: Extract<Delivery, { kind: "repair" | "make" }>,
): Promise<void> {
  await repairRecords(deps.host, refund.paymentCollectionId, records, delivery.repair)
  if (delivery.repair.transactionIds.length > 0) {
    await noteRemoved(deps, refund, delivery.repair.transactionIds)
  }
  if (delivery.kind === "repair") return
  const { isByWorkflow } = delivery
  // Medusa may take its time, and a second worker would make a second row.
  if ((await keepLeases(deps.database, [refund], LIMITS.leaseMs)) === 0) return
  const { paymentId } = records
  const amount = amountOf(refund)
  const createdBy = refundMark(refund.id)
  await deps.host.makeRefund({ paymentId, amount, createdBy, isByWorkflow })
  if (isByWorkflow) return
  const bound = await findById(deps.database, refund.id)
  const known = bound && (await knownOf(deps, hostKeyOf(bound)))
  if (!known || bound.hostRefundId === null) return
  const isInTransactions = judgeRecords(known).taken.has(bound.id)
  const added = { rowId: bound.hostRefundId, amount, isInTransactions, isLineMissing: true }
  const rest = { creditLineIds: [], transactionIds: [], rowIds: [], added }
  await repairRecords(deps.host, refund.paymentCollectionId, known.records, rest)
}

async function noteRemoved(
  deps: FlowDeps,
  refund: Operation,
  transactions: readonly string[],
): Promise<void> {
  const code = "refund_transactions_removed"
  const event = { note: "records_repaired" }
  await persist(deps.database, refund, { event, code, facts: { transactions } })
  deps.logger.error(`merchant payments: beside the refund ${refund.id}: ${sentence("event", code)}`)
}

async function markRecorded(
  deps: FlowDeps,
  refund: Operation,
  isLineUnclear: boolean,
): Promise<void> {
  const code = isLineUnclear ? "credit_line_unclear" : "refund_recorded"
  await persist(deps.database, refund, {
    event: { note: "recorded" },
    code,
    ...(isLineUnclear ? { facts: { credit_line: "unclear" } } : {}),
    changes: {
      recordedAt: true,
      settleAttempts: 0,
      ...(refund.answeredAt ? {} : { answeredAt: true }),
    },
    // A refund still on its way is followed as before.
    ...(refund.state === "completed" ? { next: "never" as const } : {}),
    lease: "release",
  })
  if (!isLineUnclear) return
  deps.logger.error(`merchant payments: the refund ${refund.id}: ${sentence("event", code)}`)
}

/** Mostly Medusa is done long before. Never later than the gateway is to be asked. */
async function waitFor(deps: FlowDeps, refund: Operation, ms: number): Promise<void> {
  const soonMs = Math.min(ms, LIMITS.refundHostCheckMs)
  await postponeOperation(deps.database, refund, {
    inMs: refund.state === "completed" ? soonMs : Math.min(soonMs, dueInMs(refund)),
    wasAnswered: false,
    isCounted: false,
  })
}

function dueInMs({ nextCheckAt, readAt }: Operation): number {
  return nextCheckAt ? Math.max(0, nextCheckAt.getTime() - readAt.getTime()) : 0
}

async function retryLater(deps: FlowDeps, refund: Operation, error: unknown): Promise<void> {
  if (await postponedIfBusy(deps.database, refund, error)) return
  await retryRecords(deps, refund, error, {
    says: `of ${refund.parentId ?? "?"} went out, but Medusa could not take it`,
    note: "delivery_refused",
    ...(refund.state === "completed" ? {} : { withinMs: dueInMs(refund) }),
  })
}

function amountOf(refund: Operation): string {
  if (refund.hostAmount === null) throw new Error(`${refund.id} is a refund of no amount`)
  return refund.hostAmount
}
