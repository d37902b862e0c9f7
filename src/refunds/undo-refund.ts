/**
 * A refund that did not go through is taken out of Medusa again. After a yes Medusa may have
 * written it in five places: refund row, order transaction, credit line, and the sums of order and
 * payment collection. Cancelling an order writes a part even after a no.
 *
 * Nothing is removed before Medusa has surely stopped writing.
 */
import type { Operation } from "../core/operation"
import { nextWatchInMs } from "../core/schedule"
import { postponeOperation } from "../ledger/postpone-operation"
import type { FlowDeps } from "../engine/deps"
import { persist } from "../engine/persist"
import { hostKeyOf, knownOf, repairRecords, retryRecords } from "./repair-records"
import { decideUndo, hasRemovals, hostQuietInMs, isCounted } from "./rules/refund-repair"

/** The caller holds the refund by lease, and it `isToUndo`; the lease is given back. */
export async function undoRefund(deps: FlowDeps, refund: Operation): Promise<void> {
  const quietMs = hostQuietInMs(refund)
  if (quietMs > 0) {
    return postponeOperation(deps.database, refund, {
      inMs: quietMs,
      wasAnswered: false,
      isCounted: false,
    })
  }
  let undo: Undo | undefined
  try {
    const known = await knownOf(deps, hostKeyOf(refund))
    if (known) {
      undo = decideUndo(refund, known)
      await repairRecords(deps.host, refund.paymentCollectionId, known.records, undo)
      const left = await knownOf(deps, hostKeyOf(refund))
      if (left && (hasRemovals(decideUndo(refund, left)) || !isCounted(left.records))) {
        throw new Error("Medusa still shows a part of it")
      }
    }
  } catch (error) {
    return retryRecords(deps, refund, error, {
      says: "did not go through, and Medusa's records could not be put right",
      note: "undo_refused",
    })
  }
  return markUndone(deps, refund, undo)
}

type Undo = ReturnType<typeof decideUndo>

async function markUndone(
  deps: FlowDeps,
  refund: Operation,
  undo: Undo | undefined,
): Promise<void> {
  const wasShown = refund.answeredAt !== null || (undo !== undefined && hasRemovals(undo))
  const isUnclear = undo?.isLineUnclear === true
  const fraction = deps.random.fraction()
  const watchMs =
    refund.reference === null || (refund.state !== "failed" && refund.state !== "expired")
      ? undefined
      : nextWatchInMs(refund.state, refund.checks, fraction)
  const written = await persist(deps.database, refund, {
    event: { note: "undone" },
    code: wasShown ? "refund_undone" : "refund_not_shown",
    facts: {
      reason: refund.reason,
      credit_lines: undo?.creditLineIds.length ?? 0,
      transactions: undo?.transactionIds.length ?? 0,
      rows: undo?.rowIds.length ?? 0,
      ...(isUnclear ? { credit_line: "unclear" } : {}),
    },
    // An admin may accept it in the end: then it is delivered once more.
    changes: { undoneAt: true, recordedAt: false, settleAttempts: 0 },
    next: watchMs === undefined ? "never" : { inMs: watchMs },
    lease: "release",
  })
  if (!written || !wasShown) return
  deps.logger.error(
    `merchant payments: the refund ${refund.id} of ${refund.parentId ?? "?"} did not go through ` +
      `(${refund.reason ?? "unknown"}), though Medusa showed it. Medusa's records are put right: ` +
      "the order shows the money as not refunded again. Try it again, or give it back otherwise.",
  )
  if (!isUnclear) return
  deps.logger.error(
    `merchant payments: beside the refund ${refund.id} a credit line of its order may be left ` +
      "that is of no money. The reconciliation lists the order as long as it is open",
  )
}
