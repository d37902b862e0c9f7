/**
 * Decides what becomes of one difference. A list is a hint: the gateway is asked about the source,
 * or the operation is checked, and only what that check decides is done.
 */
import { LIMITS } from "../core/limits"
import { hasEnded, isDismissed, isToUndo, isUndelivered, type Operation } from "../core/operation"
import type { Gateway } from "../gateway"
import { spendChecks } from "../ledger/limits/check-budget"
import { findById } from "../ledger/find-operations"
import { askAgain, noteAskedAgain } from "../engine/ask-completed"
import { askSource } from "../engine/ask-gateway"
import type { FlowDeps } from "../engine/deps"
import { findRefundsOf } from "../refunds/sql/find-refunds"
import { checkNow } from "../worker/check-due-operations"
import { payQuestion } from "../worker/pass-budget"
import { holdPaidSource, holdSecondPayment, learnOwnSource } from "./hold-money"
import {
  holds,
  lacksSource,
  sourceKey,
  type GatewaySource,
  type SidesOfPeriod,
  type Difference,
} from "./rules/reconciliation"
import type { KeptDifference } from "./schemas/reconciliation"
import { wakeOperation } from "./sql/wake-operations"

/** `none`: the second check finds no difference; `unanswered`: the gateway did not answer now. */
export type Verdict = KeptDifference["done"] | "none" | "unanswered"

/** Whether judging the difference costs questions to the gateway beyond the lists. */
export const isAsked = ({ code, payment_id }: Difference): boolean =>
  code === "paid_after_end" ||
  code === "paid_twice" ||
  code === "completed_but_reads_otherwise" ||
  (code === "refund_unknown" && payment_id === null)

export async function judgeDifference(
  deps: FlowDeps,
  gateway: Gateway,
  sides: SidesOfPeriod,
  difference: Difference,
): Promise<Verdict> {
  const { code } = difference
  const operation = sides.operations.find(({ id }) => id === difference.operation_id)
  const source = sides.sources.find(
    ({ sourceType, sourceId }) =>
      sourceType === difference.source_type && sourceId === difference.source_id,
  )
  if (!operation) return "listed"
  if (code === "paid_not_completed" && source && lacksSource(operation)) {
    const learned = await learnOwnSource(deps, operation, source)
    if (!learned) return "none"
    return learned.state === "review" ? "held_for_review" : "checked_again"
  }
  if (code === "paid_not_completed") {
    // If it can't be woken, another request was faster, and it is no longer under way.
    return (await wakeOperation(deps.database, operation.id, true)) ? "checked_again" : "none"
  }
  if (code === "paid_after_end" && source) {
    return lateMoney(deps, gateway, sides, source, operation)
  }
  if (code === "paid_twice" && source) {
    const isHeld = await holdSecondPayment(deps, gateway, operation, source)
    return isHeld ? "held_for_review" : "none"
  }
  if (code === "recorded_not_paid") {
    // The operation was read before Medusa's payments, and may have been completed and captured
    // in between.
    const now = await findById(deps.database, operation.id)
    return now && holds(now) ? "none" : "listed"
  }
  if (code === "returned_not_in_medusa") return unlessOnItsWay(deps, operation, isUndelivered)
  if (code === "refund_unknown" && difference.payment_id !== null) {
    return unlessOnItsWay(deps, operation, isToUndo)
  }
  return isAsked(difference) ? readsOtherwise(deps, gateway, operation, source) : "listed"
}

/**
 * Checks each try of the source now, as the job would; the try whose money it is holds the money.
 * If no try has the source, the operation that it was made for holds the money.
 */
async function lateMoney(
  deps: FlowDeps,
  gateway: Gateway,
  sides: SidesOfPeriod,
  source: GatewaySource,
  maker: Operation,
): Promise<Verdict> {
  const tries = sides.operations.filter(
    (one) =>
      sourceKey(one) === sourceKey(source) &&
      hasEnded(one) &&
      !isDismissed(one, source.total) &&
      !sides.unaskableIds.includes(one.id),
  )
  for (const one of tries) {
    await spendChecks(deps.database, one.accountId, 1)
    await checkNow(deps, one.id)
    if ((await stateOf(deps, one)) === "review") return "held_for_review"
  }
  if (tries.length === 0 && (await holdPaidSource(deps, gateway, maker, source))) {
    return "held_for_review"
  }
  const now = await stateOf(deps, maker)
  return now === "failed" || now === "expired" ? "listed" : "none"
}

/**
 * No difference while the job's quick tries still record a refund in Medusa, or remove a failed
 * one.
 */
async function unlessOnItsWay(
  deps: FlowDeps,
  { id }: Operation,
  isOwed: (refund: Operation) => boolean,
): Promise<Verdict> {
  const tries = LIMITS.settleRetryMs.length
  const isOnItsWay = (one: Operation) =>
    isOwed(one) && one.nextCheckAt !== null && one.settleAttempts < tries
  return (await findRefundsOf(deps.database, id)).some(isOnItsWay) ? "none" : "listed"
}

/**
 * Asks the gateway again, and undoes nothing: only an admin takes back what Medusa has recorded.
 */
async function readsOtherwise(
  deps: FlowDeps,
  gateway: Gateway,
  operation: Operation,
  source: GatewaySource | undefined,
): Promise<Verdict> {
  await spendChecks(deps.database, operation.accountId, 2)
  const beside = [source?.status]
  const take = () => deps.budget.take(operation.accountId)
  const findings = await askAgain(gateway, operation, { beside, take })
  const reasked = await noteAskedAgain(deps, operation, findings)
  if (reasked === "contradicted") return "listed"
  if (source) return reasked === "agrees" ? "none" : "unanswered"
  // A source that no list has is gone for good, unless it can be read by itself.
  await payQuestion(deps, operation.accountId)
  const { finding, isNotFound } = await askSource(gateway, operation)
  // The lists were read to their end without it, so a 404 in any form says the same.
  if (finding.kind === "absent" || isNotFound) return "listed"
  return finding.kind === "seen" ? "none" : "unanswered"
}

async function stateOf(deps: FlowDeps, { id }: Operation): Promise<string | undefined> {
  return (await findById(deps.database, id))?.state
}
