/**
 * A refund that did not go through is made once more, in the name of a person who says so. What
 * Medusa asked for goes through Medusa again, which makes its own row and asks our provider; what
 * went straight to the gateway does so again. It is a refund of its own: with its own reserve and
 * its own reference.
 *
 * The one that failed is held by lease until the new one is answered, so of two people who press at
 * once one is told to wait. A process that dies in between leaves what any other click leaves, and
 * whether the refund was made again is read from the ledger's refunds, not from a mark on the one
 * that failed. One that slept past its lease stops before it asks; from there on it is a click of a
 * person as any other.
 */
import { LIMITS } from "../core/limits"
import { compareDecimals, majorText } from "../core/money"
import { hasEnded, isHostRefund, type Operation } from "../core/operation"
import { isToUndo } from "../core/refund-state"
import { refusal, refusalThroughMedusa } from "../core/refusal"
import { claimOperation } from "../ledger/claim-due-operations"
import { findById } from "../ledger/find-operations"
import { releaseOperation } from "../ledger/postpone-operation"
import { readNow } from "../engine/ask-now"
import type { FlowDeps } from "../engine/deps"
import { persist } from "../engine/persist"
import { hostKeyOf } from "../refunds/repair-records"
import { requestRefund } from "../refunds/request-refund"
import { hasOpenRow } from "../refunds/rules/refund-records"
import { findRefundsOf } from "../refunds/sql/find-refunds"

/**
 * @param adminId kept in the events, and as whom Medusa's new row names
 * @returns the new refund
 * @throws Refusal `operation_not_found`, `refund_unavailable` (it has not failed, or its payment
 *   was accepted meanwhile), `refund_in_progress` (somebody is at it, or Medusa is being put
 *   right), `under_review`, `refund_retried`, and what a refund itself is refused with
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
    await assertStillHeld(deps, noted)
    await (isHostRefund(noted) ? throughHost(deps, noted, adminId) : straight(deps, noted, adminId))
  } finally {
    await releaseOperation(deps.database, current)
  }
  const made = (await laterTries(deps, current)).at(-1)
  if (!made) throw refusal("refund_unavailable.nothing_left")
  return made
}

function assertRetryable(refund: Operation): void {
  if (refund.type !== "REFUND" || refund.surplus) {
    throw refusal("refund_unavailable.not_failed")
  }
  if (refund.state === "review") {
    throw refusal("under_review.refund")
  }
  if (refund.state === "completed") throw refusal("refund_unavailable.not_failed")
  if (!hasEnded(refund)) throw refusal("refund_in_progress")
  if (isToUndo(refund)) throw refusal("refund_in_progress")
}

/** As often as it failed; while one of the later ones lives, the money is on its way. */
async function assertNotRetried(deps: FlowDeps, refund: Operation): Promise<void> {
  const again = (await laterTries(deps, refund)).find((other) => !hasEnded(other))
  if (!again) return
  throw refusal("refund_retried", { refund: again.id }, { refund: again.id })
}

/**
 * What went straight to the gateway was money that no order had. Accepted meanwhile, it is
 * Medusa's, and goes back through its order: else Medusa would go on calling it paid.
 */
function assertStillInReview({ state, returnedAt }: Operation): void {
  if (state === "review") return
  const isAccepted = state === "completed" && returnedAt === null
  throw refusal(isAccepted ? "refund_unavailable.accepted" : "refund_unavailable.changed")
}

/**
 * One that slept past its lease may have been overtaken, by somebody whose refund is made by now.
 */
async function assertStillHeld(deps: FlowDeps, { id, leaseToken }: Operation): Promise<void> {
  const now = await findById(deps.database, id)
  if (now?.leaseToken !== leaseToken) throw refusal("refund_in_progress")
}

/** Between two checks of the watch it may have gone through after all; it must not go twice. */
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
      // Else the job writes the rest, as of any refund there.
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
