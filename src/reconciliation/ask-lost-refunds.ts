/**
 * Asks for the refunds that the database may have lost. The gateway lists no refunds, but a payment's
 * next one has the lost one's reference. A payment of any age may have been refunded in the lost
 * time, so the newest are asked about, as many as one comparison may ask. A refund that stays lost is
 * found when its payment is refunded again: it is not sent twice.
 */
import { LIMITS } from "../core/limits"
import type { Operation } from "../core/operation"
import { Refusal } from "../core/refusal"
import type { FlowDeps } from "../engine/deps"
import { findLostRefund } from "../refunds/find-lost-refund"
import type { Keep } from "./run-task"
import { logUnreadable } from "./sql/find-for-period"
import { findRefundable } from "./sql/find-refundable"

/** @returns false where one was found, which may hide another, or the gateway does not answer */
export async function hasNoLostRefund(deps: FlowDeps, keep: Keep): Promise<boolean> {
  const { database } = deps
  let questions = LIMITS.reconcileQuestionsMax
  let hasNone = true
  let silent = 0
  for (const payment of await findRefundable(database, questions, logUnreadable(deps))) {
    questions -= payment.paymentIntentId === null ? QUESTIONS_WITHOUT_INTENT : 1
    if (questions < 0 || silent >= LIMITS.completedSilentMax) break
    await keep()
    await deps.budget.take(payment.accountId)
    const found = await askOne(deps, payment)
    if (found !== "none") hasNone = false
    silent = found === "unanswered" ? silent + 1 : 0
  }
  return hasNone
}

/** Its execution, its source and its receipt are asked for the intent first. */
const QUESTIONS_WITHOUT_INTENT = 4

async function askOne(deps: FlowDeps, payment: Operation) {
  try {
    return await findLostRefund(deps, payment)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // An account without credentials can have sent nothing.
    return error.code === "not_configured" ? "none" : "unanswered"
  }
}
