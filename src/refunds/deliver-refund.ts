/**
 * The outbox of refunds: what Medusa asked for and what went back, or is on its way, is brought
 * into its books, once. As a rule Medusa has written all of it by itself and this only sees it.
 * Else the asking process died, or was told that nobody knows yet, and Medusa shows nothing, or a
 * half.
 *
 * Medusa is told under a mark (`refundMark`): our provider then takes the new row as this refund's
 * and asks nobody for money. It is read back before and after; a process that dies in between is
 * followed by one that reads again. What Medusa refuses is tried again, for ever, with an error in
 * the log each time once the quick tries are used up: the money is gone, and no person could decide
 * otherwise.
 */
import { errorText } from "../core/error-text"
import { LIMITS } from "../core/limits"
import { sentence } from "../core/messages"
import type { Operation } from "../core/operation"
import { findById } from "../ledger/find-operations"
import { keepLease } from "../ledger/keep-lease"
import { postponeOperation, releaseOperation } from "../ledger/postpone-operation"
import type { FlowDeps } from "../engine/deps"
import { postponedIfBusy } from "../engine/one-at-a-time"
import { persist } from "../engine/persist"
import { hostKeyOf, knownOf } from "./known-refunds"
import { refundMark } from "./rules/adopt-refund"
import { ofCanceling, type Known, type RefundBooks } from "./rules/refund-books"
import {
  decideDelivery,
  isUndelivered,
  type Completion,
  type Delivery,
} from "./rules/refund-delivery"

/** The caller holds the refund by lease, and it `isUndelivered`; the lease is given back. */
export async function deliverRefund(deps: FlowDeps, refund: Operation): Promise<void> {
  try {
    const known = await knownOf(deps, hostKeyOf(refund))
    const delivery = decideDelivery(refund, known)
    if (delivery.kind === "wait") return await waitFor(deps, refund, delivery.ms)
    if (delivery.kind === "stuck") throw new Error("Medusa holds no captured payment of it")
    if (known && delivery.kind !== "record") await tellMedusa(deps, refund, known.books, delivery)
  } catch (error) {
    return await retryLater(deps, refund, error)
  }
  // The provider may have bound it to the row that Medusa has just made.
  const told = await findById(deps.database, refund.id)
  // Medusa took longer than the lease: whoever holds it now goes on with it.
  if (told && told.leaseToken !== refund.leaseToken) return
  if (!told || !isUndelivered(told)) return releaseOperation(deps.database, refund)
  const after = decideDelivery(told, await knownOf(deps, hostKeyOf(told)))
  if (after.kind === "record") return markRecorded(deps, told, after.isLineUnclear)
  return retryLater(deps, refund, new Error("Medusa does not show it yet"))
}

async function tellMedusa(
  deps: FlowDeps,
  refund: Operation,
  books: RefundBooks,
  delivery: Extract<Delivery, { kind: "complete" | "repeat" }>,
): Promise<void> {
  await tidyUp(deps, refund, delivery)
  if (delivery.kind === "complete") return completeOnOrder(deps, refund, books, delivery)
  // Medusa may take its time, and a second worker would make a second row.
  if (!(await keepLease(deps.database, refund, LIMITS.leaseMs))) return
  const { isByWorkflow } = delivery
  await deps.host.makeRefund({
    paymentId: books.paymentId,
    amount: amountOf(refund),
    createdBy: refundMark(refund.id),
    isByWorkflow,
  })
  if (isByWorkflow) return
  const bound = await findById(deps.database, refund.id)
  if (!bound?.hostRefundId) return
  await completeOnOrder(deps, refund, books, {
    rowId: bound.hostRefundId,
    isInTransactions: isOfCanceling(bound, await knownOf(deps, hostKeyOf(bound))),
    isLineMissing: true,
  })
}

/** Cancelling the order has written the transaction in the payment's name. */
function isOfCanceling(refund: Operation, known: Known | undefined): boolean {
  return known !== undefined && ofCanceling(refund, known).some(({ isRemoved }) => !isRemoved)
}

/** What stands for nothing is taken away before anything is written beside it. */
async function tidyUp(
  deps: FlowDeps,
  refund: Operation,
  { falseIds, staleRowIds }: Pick<Completion, "falseIds" | "staleRowIds">,
): Promise<void> {
  if (falseIds.length > 0) {
    await deps.host.dropRefundTransactions(falseIds)
    const code = "refund_transactions_removed"
    await persist(deps.database, refund, {
      event: { note: "books_mended" },
      code,
      facts: { transactions: falseIds },
    })
    deps.logger.error(
      `merchant payments: beside the refund ${refund.id}: ${sentence("event", code)}`,
    )
  }
  if (staleRowIds.length === 0) return
  await deps.host.removeRefunds(staleRowIds)
}

/**
 * The transaction comes last: it is by it that the refund counts as shown, and Medusa adds it to
 * the order's sums in the same commit.
 */
async function completeOnOrder(
  deps: FlowDeps,
  refund: Operation,
  { order }: RefundBooks,
  { rowId, isInTransactions, isLineMissing }: Omit<Completion, "falseIds" | "staleRowIds">,
): Promise<void> {
  if (order) {
    const written = { orderId: order.id, rowId, amount: amountOf(refund) }
    if (isLineMissing) await deps.host.addCreditLine({ ...written, isInTransactions })
    await deps.host.recountOrder(order.id)
    if (!isInTransactions) await deps.host.addRefundTransaction(written)
  }
  await deps.host.recountCollection(refund.paymentCollectionId)
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
    // What is still on its way is followed as before.
    ...(refund.state === "completed" ? { next: "never" as const } : {}),
    lease: "release",
  })
  if (!isLineUnclear) return
  deps.logger.error(`merchant payments: the refund ${refund.id}: ${sentence("event", code)}`)
}

/** As a rule Medusa is done long before; and never later than the gateway was to be asked. */
async function waitFor(deps: FlowDeps, refund: Operation, ms: number): Promise<void> {
  const soonMs = Math.min(ms, LIMITS.refundHostLookMs)
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
  const attempt = refund.settleAttempts
  const inMs = LIMITS.settleRetryMs[attempt]
  const text =
    `merchant payments: the refund ${refund.id} of ${refund.parentId ?? "?"} went out, but Medusa ` +
    `could not take it (${attempt + 1} tries): ${errorText(error)}`
  if (inMs === undefined) deps.logger.error(text)
  else deps.logger.warn(text)
  await persist(deps.database, refund, {
    event: { note: "delivery_refused" },
    code: "medusa_refused",
    facts: { tries: attempt + 1, detail: errorText(error) },
    changes: { settleAttempts: attempt + 1 },
    next: { inMs: nextTryInMs(refund, inMs ?? LIMITS.refundHostSlowRetryMs) },
    lease: "release",
  })
}

function nextTryInMs(refund: Operation, ms: number): number {
  return refund.state === "completed" ? ms : Math.min(ms, dueInMs(refund))
}

function amountOf(refund: Operation): string {
  if (refund.hostAmount === null) throw new Error(`${refund.id} is a refund of no amount`)
  return refund.hostAmount
}
