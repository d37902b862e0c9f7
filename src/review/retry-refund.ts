/**
 * An admin makes a refund that did not go through once more, with its own reserve and reference.
 * What Medusa asked for goes through Medusa again; what went straight to the gateway does so again.
 *
 * The failed refund is held by lease until the new one is answered, so of two admins who click at
 * once one has to wait. Whether it was made again is read from the ledger's refunds, not from a
 * mark, so a process that dies in between leaves nothing behind.
 */
import { LIMITS } from "../core/limits"
import { compareDecimals, majorText } from "../core/money"
import { hasEnded, isHostRefund, isToUndo, type Operation } from "../core/operation"
import { refusal, refusalThroughMedusa } from "../core/refusal"
import { claimOperation } from "../ledger/claim-due-operations"
import { findById } from "../ledger/find-operations"
import { releaseOperation } from "../ledger/postpone-operation"
import { readNow } from "../engine/ask-now"
import type { FlowDeps } from "../engine/deps"
import { persist } from "../engine/persist"
import { hostKeyOf } from "../refunds/record-refund"
import { requestRefund } from "../refunds/request-refund"
import { hasOpenRow } from "../refunds/rules/refund-records"
import { findRefundsOf } from "../refunds/sql/find-refunds"

/**
 * @param adminId kept in the events, and as the maker of Medusa's new row
 * @returns the new refund
 * @throws Refusal `operation_not_found`, `refund_unavailable` (it has not failed, or its payment
 *   was accepted meanwhile), `refund_in_progress` (a worker has it, or Medusa's records are being
 *   repaired), `under_review`, `refund_retried`, and what a refund itself is refused with
 */
export async function retryRefund(
  deps: FlowDeps,
  refundId: string,
  adminId: string,
): Promise<Operation> {
  const found = await findById(deps.database, refundId)
  if (!found) throw refusal("operation_not_found")
  assertRetryable(found)
  const held = await claimOperation(deps.database, refundId, LIMITS.leaseMs)
  if (!held) throw refusal("refund_in_progress")
  let current = held
  try {
    assertRetryable(held)
    await assertNotRetried(deps, held)
    if (!isHostRefund(held)) assertStillInReview(await parentOf(deps, held))
    await assertNotGone(deps, held)
    const noted = await persist(deps.database, held, {
      event: { note: "retried" },
      code: "refund_again",
      facts: { asked_by: adminId },
    })
    if (!noted) throw refusal("refund_in_progress")
    current = noted
    // A request that slept past its lease may have been overtaken by another admin's refund.
    const now = await findById(deps.database, noted.id)
    if (now?.leaseToken !== noted.leaseToken) throw refusal("refund_in_progress")
    await (isHostRefund(noted) ? throughHost(deps, noted, adminId) : straight(deps, noted, adminId))
  } finally {
    await releaseOperation(deps.database, current)
  }
  const made = (await laterTries(deps, current)).at(-1)
  if (!made) throw refusal("refund_unavailable.nothing_left")
  return made
}

function assertRetryable(refund: Operation): void {
  if (refund.type !== "REFUND" || refund.isDuplicate) throw refusal("refund_unavailable.not_failed")
  if (refund.state === "review") throw refusal("under_review.refund")
  if (refund.state === "completed") throw refusal("refund_unavailable.not_failed")
  if (!hasEnded(refund) || isToUndo(refund)) throw refusal("refund_in_progress")
}

/** It may be retried as often as it fails; while a later try lives, the money is on its way. */
async function assertNotRetried(deps: FlowDeps, refund: Operation): Promise<void> {
  const again = (await laterTries(deps, refund)).find((other) => !hasEnded(other))
  if (!again) return
  throw refusal("refund_retried", { refund: again.id }, { refund: again.id })
}

/**
 * Money that no order had goes straight to the gateway. Accepted meanwhile, it goes back through
 * its order, or Medusa would go on calling it paid.
 */
function assertStillInReview({ state, returnedAt }: Operation): void {
  if (state === "review") return
  const isAccepted = state === "completed" && returnedAt === null
  throw refusal(isAccepted ? "refund_unavailable.accepted" : "refund_unavailable.changed")
}

/** It may have gone through since the last check; it must not go twice. */
async function assertNotGone(deps: FlowDeps, refund: Operation): Promise<void> {
  if (refund.reference === null) return
  const now = await readNow(deps, refund)
  if (now.isPaid) throw refusal("refund_unavailable.not_failed")
  if (now.isMoving) throw refusal("refund_in_progress")
}

async function laterTries(deps: FlowDeps, refund: Operation): Promise<Operation[]> {
  const refunds = await findRefundsOf(deps.database, refund.parentId ?? "")
  const own = refunds.findIndex(({ id }) => id === refund.id)
  return refunds
    .slice(own + 1)
    .filter(({ hostAmount }) => compareDecimals(hostAmount, refund.hostAmount) === 0)
}

async function throughHost(deps: FlowDeps, refund: Operation, adminId: string): Promise<void> {
  const records = await deps.host.refundRecords(hostKeyOf(refund))
  if (!records) throw refusal("refund_unavailable")
  try {
    await deps.host.makeRefund({
      paymentId: records.paymentId,
      amount: refund.hostAmount ?? "0",
      createdBy: adminId,
      // Else the job writes the rest of Medusa's records.
      isByWorkflow: records.order !== null && !records.order.isCanceled && !hasOpenRow(records),
    })
  } catch (error) {
    throw refusalThroughMedusa(error) ?? error
  }
}

async function straight(deps: FlowDeps, refund: Operation, adminId: string): Promise<void> {
  const parent = await parentOf(deps, refund)
  if (!parent.collected) throw refusal("refund_unavailable")
  await requestRefund(deps, {
    operationId: parent.id,
    hostAmount: refund.hostAmount ?? "0",
    capturedAmount: majorText(parent.collected),
    hostRefundId: null,
    askedBy: adminId,
    adminId,
    code: "refund_again",
    onlyIf: ({ state }) => state === "review",
    isWaitedFor: true,
  })
}

async function parentOf(deps: FlowDeps, { parentId }: Operation): Promise<Operation> {
  const parent = await findById(deps.database, parentId ?? "")
  if (!parent) throw refusal("refund_unavailable")
  return parent
}
