/**
 * What becomes of one difference. A list is a hint: the gateway is asked about the document, or the
 * operation is checked, and only what that check decides is done. Nothing is captured or given
 * back.
 */
import { hasEnded, isDismissed, type Operation } from "../core/operation"
import { isUndelivered } from "../core/refund-state"
import type { Gateway } from "../gateway"
import { spendChecks } from "../ledger/check-budget"
import { findById } from "../ledger/find-operations"
import { askSource } from "../engine/ask-gateway"
import type { FlowDeps } from "../engine/deps"
import { findRefundsOf } from "../refunds/sql/find-refunds"
import { checkNow } from "../worker/check-due-operations"
import { holdPaidDocument, holdSecondPayment } from "./hold-money"
import { payQuestion } from "./list-documents"
import { reaskCompleted } from "./reask-completed"
import type { Done } from "./report"
import {
  sourceKey,
  type GatewayDocument,
  type SidesOfPeriod,
  type Difference,
} from "./rules/reconciliation"
import { wakeOperations } from "./sql/wake-operations"

/** `none`: on a second check there is no difference; `unanswered`: nobody can say just now. */
export type Verdict = Done | "none" | "unanswered"

/** Costs questions to the gateway beyond the lists. */
export const isAsked = ({ code, paymentId }: Difference): boolean =>
  code === "paid_after_end" ||
  code === "paid_twice" ||
  code === "completed_but_reads_otherwise" ||
  (code === "refund_unknown" && paymentId === null)

export async function judgeDifference(
  deps: FlowDeps,
  gateway: Gateway,
  books: SidesOfPeriod,
  difference: Difference,
): Promise<Verdict> {
  const { code } = difference
  const operation = books.operations.find(({ id }) => id === difference.operationId)
  const document = books.documents.find(
    ({ sourceType, sourceId }) =>
      sourceType === difference.sourceType && sourceId === difference.sourceId,
  )
  if (!operation) return "listed"
  if (code === "paid_not_completed") {
    const woken = await wakeOperations(deps.database, [operation.id])
    // Otherwise another request was faster, and it is no longer under way.
    return woken.length > 0 ? "looked_at_again" : "none"
  }
  if (code === "paid_after_end" && document) {
    return lateMoney(deps, gateway, books, document, operation)
  }
  if (code === "paid_twice" && document) {
    const isHeld = await holdSecondPayment(deps, gateway, operation.id, document)
    return isHeld ? "held_for_review" : "none"
  }
  if (code === "recorded_not_paid") {
    // Read before Medusa's payments were: it may have been completed and captured in between.
    return (await stateOf(deps, operation)) === "completed" ? "none" : "listed"
  }
  if (code === "returned_not_in_medusa") {
    const refunds = await findRefundsOf(deps.database, operation.id)
    // Those that the job still brings into Medusa.
    return refunds.some((one) => isUndelivered(one) && one.nextCheckAt !== null) ? "none" : "listed"
  }
  return isAsked(difference) ? readsOtherwise(deps, gateway, operation, document) : "listed"
}

/**
 * Each try of the document is checked now, as the job would: the one whose money it is holds it. A
 * document that no try has as its own is held by the one that it was made for.
 */
async function lateMoney(
  deps: FlowDeps,
  gateway: Gateway,
  books: SidesOfPeriod,
  document: GatewayDocument,
  maker: Operation,
): Promise<Verdict> {
  const tries = books.operations.filter(
    (one) =>
      sourceKey(one) === sourceKey(document) &&
      hasEnded(one) &&
      !isDismissed(one, document.total) &&
      !books.unaskableIds.includes(one.id),
  )
  for (const one of tries) {
    await spendChecks(deps.database, one.accountId, 1)
    await checkNow(deps, one.id)
    if ((await stateOf(deps, one)) === "review") return "held_for_review"
  }
  if (tries.length === 0 && (await holdPaidDocument(deps, gateway, maker.id, document))) {
    return "held_for_review"
  }
  const now = await stateOf(deps, maker)
  return now === "failed" || now === "expired" ? "listed" : "none"
}

/** Asked again as a whole; what Medusa knows is never taken back by a machine. */
async function readsOtherwise(
  deps: FlowDeps,
  gateway: Gateway,
  operation: Operation,
  document: GatewayDocument | undefined,
): Promise<Verdict> {
  await spendChecks(deps.database, operation.accountId, 2)
  const reasked = await reaskCompleted(deps, gateway, operation)
  if (reasked === "contradicted") return "listed"
  if (document) return reasked === "agrees" ? "none" : "unanswered"
  // In no list: gone for good, unless the document itself can be read.
  await payQuestion(deps, operation.accountId)
  const { finding } = await askSource(gateway, operation)
  if (finding.kind === "absent") return "listed"
  return finding.kind === "seen" ? "none" : "unanswered"
}

async function stateOf(deps: FlowDeps, { id }: Operation): Promise<string | undefined> {
  return (await findById(deps.database, id))?.state
}
