/**
 * The outbox of refunds: a refund that Medusa asked for is brought into Medusa's records, once, or
 * taken out again if it did not go through. Medusa shows a refund from the gateway's yes on, before
 * the money has arrived; the arrival changes the ledger alone. Mostly Medusa has written all
 * records of the refund. Else the asking process died, or was refused while nothing was known yet,
 * and Medusa shows nothing, or only a part.
 *
 * Medusa makes the refund under a mark (`refundMark`): our provider takes the new row as this
 * refund's and sends nothing. What Medusa refuses is tried again for ever: the money is gone.
 */
import { fieldsOf } from "../core/log-fields"
import { errorText } from "../core/error-text"
import type { PaymentCollectionId } from "../core/ids"
import type { RefundRecords } from "../core/medusa-records"
import { LIMITS } from "../core/limits"
import { sentence } from "../core/messages"
import { ofMedusa, isUndelivered, type Operation } from "../core/operation"
import { nextWatchInMs } from "../core/schedule"
import { findById } from "../ledger/find-operations"
import { keepLeases, postponeUnasked, releaseOperation } from "../ledger/postpone-operation"
import type { FlowDeps } from "../engine/deps"
import type { MedusaRefundKey, MedusaRefundRecords } from "../engine/medusa-port"
import { postponedIfBusy } from "../engine/one-at-a-time"
import { persist } from "../engine/persist"
import { refundMark } from "./rules/adopt-refund"
import {
  decideDelivery,
  decideUndo,
  hasRemovals,
  medusaQuietInMs,
  isCounted,
  judgeRecords,
  type Delivery,
  type Known,
  type Repair,
} from "./rules/decide-delivery"
import { findRefundsOfMedusa } from "./sql/find-refunds"

/** All refunds of a payment in Medusa and in the ledger; undefined: Medusa has no such payment. */
export async function knownOf(
  deps: Pick<FlowDeps, "medusa" | "database">,
  key: MedusaRefundKey,
): Promise<Known | undefined> {
  // Medusa's records are read first: the ledger then knows a row that is bound in between.
  const records = await deps.medusa.refundRecords(key)
  return (
    records && {
      records,
      refunds: await findRefundsOfMedusa(deps.database, key.paymentCollectionId),
    }
  )
}

export function medusaKeyOf(refund: Operation): MedusaRefundKey {
  const { medusaRefundId, paymentCollectionId, paymentSessionId, providerId } = ofMedusa(refund)
  return { medusaRefundId, paymentCollectionId, sessionId: paymentSessionId, providerId }
}

/**
 * Each step can be repeated: if a process dies between two steps, the next process judges again.
 * The credit line goes first, while the sums still tell whose it is. A transaction is added last,
 * because with it the refund counts as shown.
 *
 * The rows are removed last of all: while a row exists, Medusa lets no admin refund the same money
 * again, and the sweep finds what a dead process has left.
 */
export async function repairRecords(
  medusa: MedusaRefundRecords,
  paymentCollectionId: PaymentCollectionId,
  { order, isCollectionCounted }: RefundRecords,
  { creditLineIds, transactionIds, rowIds, added }: Repair,
): Promise<void> {
  if (creditLineIds.length > 0) await medusa.removeCreditLines(creditLineIds)
  if (transactionIds.length > 0) await medusa.removeRefundTransactions(transactionIds)
  if (order) {
    const isChanged = creditLineIds.length + transactionIds.length > 0 || added !== null
    const written = added && { orderId: order.id, rowId: added.rowId, amount: added.amount }
    if (written && added.isLineMissing) {
      await medusa.addCreditLine({ ...written, isInTransactions: added.isInTransactions })
    }
    if (isChanged || !order.isCounted) await medusa.recountOrder(order.id)
    if (written && !added.isInTransactions) await medusa.addRefundTransaction(written)
  }
  if (rowIds.length > 0 || added !== null || !isCollectionCounted) {
    await medusa.recountCollection(paymentCollectionId, rowIds)
  }
  if (rowIds.length > 0) await medusa.removeRefunds(rowIds)
}

/** The caller holds a refund that `isUndelivered` by lease; the lease is given back. */
export async function deliverRefund(deps: FlowDeps, refund: Operation): Promise<void> {
  try {
    const known = await knownOf(deps, medusaKeyOf(refund))
    if (!known) throw new Error("Medusa holds no captured payment of it")
    const delivery = decideDelivery(refund, known)
    if (delivery.kind === "wait") return await checkAgain(deps, refund, delivery.ms)
    if (delivery.kind !== "record") await repair(deps, refund, known.records, delivery)
  } catch (error) {
    return await retryDelivery(deps, refund, error)
  }
  // The provider may have bound the refund to the row that Medusa has just made.
  const now = await findById(deps.database, refund.id)
  // Medusa took longer than the lease; the worker that holds the refund now goes on with it.
  if (now && now.leaseToken !== refund.leaseToken) return
  if (!now || !isUndelivered(now)) return releaseOperation(deps.database, refund)
  const known = await knownOf(deps, medusaKeyOf(now))
  const after = known && decideDelivery(now, known)
  if (after?.kind === "record") return markRecorded(deps, now, after.isLineUnclear)
  if (after?.kind === "wait") return checkAgain(deps, refund, after.ms)
  return retryDelivery(deps, refund, new Error("Medusa does not show it yet"))
}

/** Medusa is mostly done long before `withinMs`. Never later than the gateway is to be asked. */
function checkAgain({ database }: FlowDeps, refund: Operation, withinMs: number): Promise<void> {
  const inMs = Math.min(withinMs, LIMITS.refundMedusaCheckMs, askedInMs(refund))
  return postponeUnasked(database, refund, inMs)
}

async function repair(
  deps: FlowDeps,
  refund: Operation,
  records: RefundRecords,
  delivery: Extract<Delivery, { kind: "repair" | "make" }>,
): Promise<void> {
  const { id, paymentCollectionId, medusaAmount: amount } = ofMedusa(refund)
  const { transactionIds: transactions } = delivery.repair
  await repairRecords(deps.medusa, paymentCollectionId, records, delivery.repair)
  if (transactions.length > 0) {
    const code = "refund_transactions_removed"
    const event = { note: "records_repaired" }
    await persist(deps.database, refund, { event, code, facts: { transactions } })
    const said = `merchant payments: beside the refund ${id}: ${sentence("event", code)}`
    deps.logger.error(said, fieldsOf(refund, code))
  }
  if (delivery.kind === "repair") return
  if (amount === null) throw new Error(`${id} is a refund of no amount`)
  // Medusa may take its time, and a second worker would make a second row.
  if ((await keepLeases(deps.database, [refund], LIMITS.leaseMs)) === 0) return
  const { paymentId } = records
  const { isByWorkflow } = delivery
  await deps.medusa.makeRefund({ paymentId, amount, createdBy: refundMark(id), isByWorkflow })
  if (isByWorkflow) return
  const bound = await findById(deps.database, id)
  const known = bound && (await knownOf(deps, medusaKeyOf(bound)))
  if (!known || bound.medusaRefundId === null) return
  const isInTransactions = judgeRecords(known).transactionOf.has(id)
  const added = { rowId: bound.medusaRefundId, amount, isInTransactions, isLineMissing: true }
  const rest = { creditLineIds: [], transactionIds: [], rowIds: [], added }
  await repairRecords(deps.medusa, paymentCollectionId, known.records, rest)
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
  const said = `merchant payments: the refund ${refund.id}: ${sentence("event", code)}`
  deps.logger.error(said, fieldsOf(refund, code))
}

/** Milliseconds until the gateway is to be asked about a refund that is on its way. */
function askedInMs({ state, nextCheckAt, readAt }: Operation): number {
  if (state !== "in_flight") return Infinity
  return nextCheckAt ? Math.max(0, nextCheckAt.getTime() - readAt.getTime()) : 0
}

async function retryDelivery(deps: FlowDeps, refund: Operation, error: unknown): Promise<void> {
  if (await postponedIfBusy(deps.database, refund, error)) return
  const says = `of ${refund.parentId ?? "?"} went out, but Medusa could not take it`
  await retryLater(deps, refund, error, { says, note: "delivery_refused" })
}

/** The refund is tried again for ever; the log has an error once the quick tries are used up. */
async function retryLater(
  { database, logger }: FlowDeps,
  refund: Operation,
  error: unknown,
  { says, note }: { readonly says: string; readonly note: string },
): Promise<void> {
  const tries = refund.settleAttempts + 1
  const inMs = LIMITS.settleRetryMs[refund.settleAttempts]
  const detail = errorText(error)
  const text = `merchant payments: the refund ${refund.id} ${says} (${tries} tries): ${detail}`
  const fields = fieldsOf(refund, "medusa_refused")
  if (inMs === undefined) logger.error(text, fields)
  else logger.warn(text, fields)
  await persist(database, refund, {
    event: { note },
    code: "medusa_refused",
    facts: { tries, detail },
    changes: { settleAttempts: tries },
    next: { inMs: Math.min(inMs ?? LIMITS.refundMedusaSlowRetryMs, askedInMs(refund)) },
    lease: "release",
  })
}

/**
 * A refund that did not go through is taken out of Medusa again. After a yes Medusa may have
 * written it in five places: refund row, order transaction, credit line, and the sums of order and
 * payment collection. Cancelling an order writes a part even after a no.
 *
 * Nothing is removed before Medusa has surely stopped writing. The caller holds a refund that
 * `isToUndo` by lease; the lease is given back.
 */
export async function undoRefund(deps: FlowDeps, refund: Operation): Promise<void> {
  const quietMs = medusaQuietInMs(refund)
  if (quietMs > 0) return postponeUnasked(deps.database, refund, quietMs)
  let undo: ReturnType<typeof decideUndo> | undefined
  try {
    const known = await knownOf(deps, medusaKeyOf(refund))
    if (known) {
      undo = decideUndo(refund, known)
      await repairRecords(deps.medusa, ofMedusa(refund).paymentCollectionId, known.records, undo)
      const left = await knownOf(deps, medusaKeyOf(refund))
      if (left && (hasRemovals(decideUndo(refund, left)) || !isCounted(left.records))) {
        throw new Error("Medusa still shows a part of it")
      }
    }
  } catch (error) {
    const says = "did not go through, and Medusa's records could not be put right"
    return retryLater(deps, refund, error, { says, note: "undo_refused" })
  }
  return markUndone(deps, refund, undo)
}

async function markUndone(
  deps: FlowDeps,
  refund: Operation,
  undo: ReturnType<typeof decideUndo> | undefined,
): Promise<void> {
  const { id, parentId, reason, reference, checks } = refund
  const wasShown = refund.answeredAt !== null || (undo !== undefined && hasRemovals(undo))
  const isUnclear = undo?.isLineUnclear === true
  const state = refund.state === "failed" ? "failed" : "expired"
  const watchMs =
    reference === null ? undefined : nextWatchInMs(state, checks, deps.random.fraction())
  const written = await persist(deps.database, refund, {
    event: { note: "undone" },
    code: wasShown ? "refund_undone" : "refund_not_shown",
    facts: {
      reason,
      credit_lines: undo?.creditLineIds.length ?? 0,
      transactions: undo?.transactionIds.length ?? 0,
      rows: undo?.rowIds.length ?? 0,
      ...(isUnclear ? { credit_line: "unclear" } : {}),
    },
    // An admin may accept the refund in the end: then it is delivered once more.
    changes: { undoneAt: true, recordedAt: false, settleAttempts: 0 },
    next: watchMs === undefined ? "never" : { inMs: watchMs },
    lease: "release",
  })
  if (!written || !wasShown) return
  deps.logger.error(
    `merchant payments: the refund ${id} of ${parentId ?? "?"} did not go through ` +
      `(${reason ?? "unknown"}), though Medusa showed it. Medusa's records are put right: ` +
      "the order shows the money as not refunded again. Try it again, or give it back otherwise.",
  )
  if (!isUnclear) return
  deps.logger.error(
    `merchant payments: beside the refund ${id} a credit line of its order may be left ` +
      "that is of no money. The reconciliation lists the order as long as it is open",
  )
}
