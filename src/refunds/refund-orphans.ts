/**
 * Where its account says so, money that belongs to no order goes back to the payer without an
 * admin. Straight to the gateway, so only money that Medusa does not hold: what Medusa captured is
 * refunded through Medusa alone, so that its records show it.
 *
 * The money stays in review until the gateway says that it went back. What can't be sent just now
 * is tried again for a while; what the gateway refuses, or fails, waits for an admin.
 */
import { LIMITS } from "../core/limits"
import { majorText } from "../core/money"
import type { Operation } from "../core/operation"
import { Refusal } from "../core/refusal"
import { accountById } from "../ledger/accounts/find-accounts"
import { postponeOperation } from "../ledger/postpone-operation"
import type { FlowDeps } from "../engine/deps"
import { BY_POLICY } from "../engine/end-draft"
import { paymentsOf } from "../engine/medusa-holds"
import { persist } from "../engine/persist"
import { requestRefund } from "./request-refund"
import { isOrphan } from "./rules/orphan"

/** The caller holds the operation, in review, by lease; the lease is given back. */
export async function refundOrphan(deps: FlowDeps, operation: Operation): Promise<void> {
  const { collected } = operation
  if (!collected || !(await mayGiveBack(deps, operation))) return rest(deps, operation)
  const amount = majorText(collected)
  try {
    await requestRefund(deps, {
      operationId: operation.id,
      hostAmount: amount,
      capturedAmount: amount,
      hostRefundId: null,
      askedBy: BY_POLICY,
      code: "refund_by_policy",
      // An admin may have accepted it since it was read; then it is on its way into an order.
      onlyIf: isOrphan,
      isWaitedFor: false,
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return leaveInReview(deps, operation, error)
  }
  return rest(deps, operation)
}

async function mayGiveBack(deps: FlowDeps, operation: Operation): Promise<boolean> {
  const account = accountById(await deps.accounts(), operation.accountId)
  if (account?.policies.refund_orphans !== true || !isOrphan(operation)) return false
  if (operation.reservedRefundMinor > 0n) return false
  const { payments } = await deps.host.record(operation.paymentCollectionId, operation.providerId)
  return (await paymentsOf(deps, operation, payments)).length === 0
}

/** The job leaves it; a refund on its way is followed under its own id. */
function rest(deps: FlowDeps, operation: Operation): Promise<void> {
  return postponeOperation(deps.database, operation, {
    inMs: null,
    wasAnswered: false,
    isCounted: false,
  })
}

async function leaveInReview(
  deps: FlowDeps,
  operation: Operation,
  refusal: Refusal,
): Promise<void> {
  const isForNow = refusal.code === "gateway_unavailable" || refusal.code === "not_configured"
  const inMs = isForNow ? LIMITS.policyRefundRetryMs[operation.checks] : undefined
  deps.logger.error(
    `merchant payments: ${operation.id} can't be given back by policy refund_orphans ` +
      `(${refusal.code}): ${refusal.message}` +
      (inMs === undefined ? " It needs a review." : " It is tried again."),
  )
  await persist(deps.database, operation, {
    event: { note: "refund_refused" },
    code: "refund_policy_refused",
    facts: { code: refusal.code },
    changes: { checks: operation.checks + 1 },
    next: inMs === undefined ? "never" : { inMs },
    lease: "release",
  })
}
