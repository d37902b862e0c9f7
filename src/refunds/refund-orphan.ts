/**
 * Why a payment was given back by itself. Where its account's policy `refund_orphans` says so, money
 * in review that belongs to no order goes back to the payer without an admin. This refund goes
 * straight to the gateway, so it is only for money that Medusa does not hold: money that Medusa
 * captured is refunded through Medusa alone, so that its records show the refund.
 *
 * The money stays in review until the gateway says that it went back. A refund that can't be sent
 * just now is tried again for a while; one that the gateway refuses, or fails, waits for an admin.
 */
import { fieldsOf } from "../core/log-fields"
import type { OperationId } from "../core/ids"
import { LIMITS } from "../core/limits"
import { majorText, sameMoney } from "../core/money"
import { ofMedusa, type Operation, type ReviewReason } from "../core/operation"
import { Refusal } from "../core/refusal"
import type { Database } from "../ledger/database"
import { factsOfNewest } from "../ledger/find-events"
import { accountById } from "../ledger/accounts/find-accounts"
import { postponeUnasked } from "../ledger/postpone-operation"
import type { FlowDeps } from "../engine/deps"
import { BY_REFUND_ORPHANS } from "../engine/end-draft"
import { paymentsOf } from "../engine/medusa-holds"
import { persist } from "../engine/persist"
import { sendRefund } from "./send-refund-to-gateway"

/**
 * Reasons for which money belongs to no order. Money whose order may still come is no orphan: the
 * cart was edited, or the provider is disabled and can be enabled again. Nor is money of which
 * something is not certain. Both wait for an admin whatever the policy says. Money for which Medusa
 * refused to make an order belongs to none.
 */
const ORPHAN_REASONS = [
  "late_payment",
  "order_canceled",
  "session_gone",
  "another_payment",
  "cart_not_completed",
] as const satisfies readonly ReviewReason[]

/** Money that is surely there, for what was asked for, and belongs to no order. */
function isOrphan({ type, state, returnedAt, collected, amount, reason }: Operation): boolean {
  return (
    type === "COLLECTION" &&
    state === "review" &&
    returnedAt === null &&
    collected !== null &&
    sameMoney(collected, amount) &&
    ORPHAN_REASONS.some((known) => known === reason)
  )
}

/** The caller holds the operation, in review, by lease; the lease is given back. */
export async function refundOrphan(deps: FlowDeps, operation: Operation): Promise<void> {
  const { collected } = operation
  // The job leaves the payment; a refund on its way is followed under its own id.
  const leave = () => postponeUnasked(deps.database, operation, null)
  if (!collected || !(await mayGiveBack(deps, operation))) return leave()
  const amount = majorText(collected)
  try {
    await sendRefund(deps, {
      operationId: operation.id,
      medusaAmount: amount,
      capturedAmount: amount,
      medusaRefundId: null,
      askedBy: BY_REFUND_ORPHANS,
      code: "refund_by_policy",
      // An admin may have accepted the money since it was read: then it goes into an order.
      onlyIf: isOrphan,
      isWaitedFor: false,
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return leaveInReview(deps, operation, error)
  }
  return leave()
}

async function mayGiveBack(deps: FlowDeps, operation: Operation): Promise<boolean> {
  const account = accountById(await deps.accounts(), operation.accountId)
  if (account?.policies.refund_orphans !== true || !isOrphan(operation)) return false
  if (operation.reservedRefundMinor > 0n) return false
  const { paymentCollectionId, providerId } = ofMedusa(operation)
  const record = await deps.medusa.record(paymentCollectionId, providerId)
  if ((await paymentsOf(deps, operation, record.payments)).length > 0) return false
  if (operation.reason !== "cart_not_completed") return true
  const isPlaced = record.order !== null && !record.order.isCanceled
  return !isPlaced && (await wasRefusedByMedusa(deps.database, operation.id))
}

/** Whether Medusa itself refused at the last try: a database that was away decides nothing. */
async function wasRefusedByMedusa(database: Database, id: OperationId): Promise<boolean> {
  const [stranded] = await factsOfNewest(database, id, { name: "strand", limit: 1 })
  return stranded !== undefined && stranded["kind"] !== "fault"
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
    fieldsOf(operation, "refund_policy_refused"),
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
