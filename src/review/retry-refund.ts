/**
 * An admin retries a refund that did not go through, with a new reserve and reference, or gives
 * back what is left of a cancelled order's payment. A refund that Medusa knows goes through Medusa
 * again; one that went straight to the gateway does so again.
 *
 * The failed refund, or the payment, is held by lease until the new refund is answered: of two
 * admins who click at once, one has to wait. The ledger's refunds, not a mark, say whether it was
 * made again, so a process that dies in between leaves nothing behind.
 */
import type { AdminId, OperationId, OrderId } from "../core/ids"
import type { RefundRecords } from "../core/medusa-records"
import { LIMITS } from "../core/limits"
import { compareDecimals, majorText, moneyFromMajor } from "../core/money"
import { hasEnded, isMedusaRefund, isToUndo, type Operation } from "../core/operation"
import { refusal, refusalThroughMedusa } from "../core/refusal"
import { claimOperation } from "../ledger/claim-due-operations"
import { findById, findMoneyOfSession } from "../ledger/find-operations"
import { releaseOperation } from "../ledger/postpone-operation"
import { readNow } from "../engine/ask-now"
import type { FlowDeps } from "../engine/deps"
import { persist } from "../engine/persist"
import { medusaKeyOf } from "../refunds/deliver-refund-to-medusa"
import { sendRefund } from "../refunds/send-refund-to-gateway"
import { isOfRest, ownShare, REST_OF_A_PAYMENT } from "../refunds/rules/refund-amount"
import { hasOpenRow } from "../refunds/rules/decide-delivery"
import { findRefundsOf } from "../refunds/sql/find-refunds"
import { findRefundBasis } from "../refunds/sql/reserve-refund"
import { findListed } from "./sql/list-operations"

/**
 * @param adminId kept in the events, and as the maker of Medusa's new row
 * @returns the new refund
 * @throws Refusal `operation_not_found`, `refund_unavailable` (it has not failed, or its payment
 *   was accepted meanwhile), `refund_in_progress` (a worker has it, or Medusa's records are being
 *   repaired), `under_review`, `refund_retried`, and the refusals of a refund itself
 */
export async function retryRefund(
  deps: FlowDeps,
  operationId: OperationId,
  adminId: AdminId,
): Promise<Operation> {
  const found = await findById(deps.database, operationId)
  if (!found) throw refusal("operation_not_found")
  const isPayment = found.type === "COLLECTION"
  const assertPossible = isPayment ? assertLeft : assertRetryable
  await assertPossible(deps, found)
  const held = await claimOperation(deps.database, operationId, LIMITS.leaseMs)
  if (!held) throw refusal("refund_in_progress")
  let current = held
  const refundsOf = () => findRefundsOf(deps.database, found.parentId ?? found.id)
  const before = new Set((await refundsOf()).map(({ id }) => id))
  try {
    await assertPossible(deps, held)
    if (!isPayment) await assertNotGone(deps, held)
    const noted = await persist(deps.database, held, {
      event: { note: "retried" },
      code: isPayment ? "refund_of_canceled" : "refund_again",
      facts: { asked_by: adminId },
    })
    if (!noted) throw refusal("refund_in_progress")
    current = noted
    // A request that slept past its lease may have been overtaken by another admin's refund.
    const now = await findById(deps.database, noted.id)
    if (now?.leaseToken !== noted.leaseToken) throw refusal("refund_in_progress")
    const send = isPayment ? giveBackLeft : isMedusaRefund(noted) ? throughMedusa : straight
    await send(deps, noted, adminId)
  } finally {
    await releaseOperation(deps.database, current)
  }
  const refunds = await refundsOf()
  // Instead of a new refund, Medusa may have taken one that was already on its way.
  const made = refunds.filter(({ id }) => !before.has(id)).at(-1) ?? laterTries(current, refunds)[0]
  if (!made) throw refusal("refund_unavailable.nothing_left")
  return made
}

/**
 * Refuses unless the payment is listed: recorded money of a cancelled order that is neither given
 * back nor on its way.
 */
async function assertLeft(deps: FlowDeps, payment: Operation): Promise<void> {
  const listed = await findListed(deps.database, payment.id)
  if (listed?.attention !== "order_canceled") throw refusal("refund_unavailable.not_failed")
  // Medusa still shows a refund that did not happen, and would give back too little.
  const refunds = await findRefundsOf(deps.database, payment.id)
  if (refunds.some(isToUndo)) throw refusal("refund_in_progress")
}

/**
 * Uses the rule of the list, so that a retry that the list or the page offers is not refused here.
 */
async function assertRetryable(deps: FlowDeps, refund: Operation): Promise<void> {
  if (refund.type !== "REFUND" || refund.isDuplicate) throw refusal("refund_unavailable.not_failed")
  if (refund.state === "review") throw refusal("under_review.refund")
  if (refund.state === "completed") throw refusal("refund_unavailable.not_failed")
  if (!hasEnded(refund) || isToUndo(refund)) throw refusal("refund_in_progress")
  const listed = await findListed(deps.database, refund.id)
  if (listed?.attention === "refund_failed") return
  const refunds = await findRefundsOf(deps.database, refund.parentId ?? "")
  // A later try that lives has the money on its way; one that failed is retried itself.
  const again = laterTries(refund, refunds).at(-1)
  if (again) throw refusal("refund_retried", { refund: again.id }, { refund: again.id })
  if (!isMedusaRefund(refund)) assertStillInReview(await parentOf(deps, refund))
  throw refusal(listed?.dismissedAt ? "already_resolved" : "refund_unavailable.nothing_left")
}

/**
 * Money that no order had goes straight to the gateway. If its payment was accepted meanwhile, the
 * money has to go back through the order, or Medusa would go on calling it paid.
 */
function assertStillInReview({ state, returnedAt }: Operation): void {
  if (state === "review") return
  const isAccepted = state === "completed" && returnedAt === null
  throw refusal(isAccepted ? "refund_unavailable.accepted" : "refund_unavailable.changed")
}

/**
 * Asks the gateway first: the refund may have gone through since the last check, and must not go
 * twice.
 */
async function assertNotGone(deps: FlowDeps, refund: Operation): Promise<void> {
  if (refund.reference === null) return
  const now = await readNow(deps, refund)
  if (now.isPaid) throw refusal("refund_unavailable.not_failed")
  if (now.isMoving) throw refusal("refund_in_progress")
}

function laterTries(refund: Operation, refunds: readonly Operation[]): Operation[] {
  const own = refunds.findIndex(({ id }) => id === refund.id)
  return refunds
    .slice(own + 1)
    .filter(({ medusaAmount }) => compareDecimals(medusaAmount, refund.medusaAmount) === 0)
}

/**
 * Gives back what Medusa's order shows as left of the payment, at most what the ledger has left.
 */
async function giveBackLeft(deps: FlowDeps, payment: Operation, adminId: AdminId): Promise<void> {
  const records = await deps.medusa.refundRecords(medusaKeyOf(payment))
  const orderId = records?.order?.id
  const shown = orderId === undefined ? undefined : await shownLeft(deps, payment, orderId)
  if (!records || shown === undefined) throw refusal("refund_unavailable.nothing_left")
  await makeInMedusa(deps, records, await atMostLeft(deps, payment.id, shown), adminId)
}

/** Gives back the amount that failed, or what is left if other refunds have taken of it since. */
async function throughMedusa(deps: FlowDeps, refund: Operation, adminId: AdminId): Promise<void> {
  const records = await deps.medusa.refundRecords(medusaKeyOf(refund))
  if (!records) throw refusal("refund_unavailable")
  const amount = await atMostLeft(deps, refund.parentId, refund.medusaAmount ?? "0")
  await makeInMedusa(deps, records, amount, adminId)
}

/** @throws Refusal `refund_unavailable` where the ledger has nothing left of the payment */
async function atMostLeft(
  deps: FlowDeps,
  collectionOperationId: OperationId | null,
  amount: string,
): Promise<string> {
  const basis = await findRefundBasis(deps.database, collectionOperationId)
  const all = basis?.parent.collected
  if (!basis || !all) throw refusal("refund_unavailable")
  const { currency } = all
  const { collected, before } = ownShare(
    { ...basis.parent, collected: all },
    basis.before,
    basis.restMinor,
  )
  const minor = collected.minor - before.reservedMinor - before.lateMinor
  const asked = moneyFromMajor(amount, currency)?.minor ?? 0n
  if (minor <= 0n || asked <= 0n) throw refusal("refund_unavailable.nothing_left")
  return asked > minor ? majorText({ minor, currency }) : amount
}

async function shownLeft(
  deps: FlowDeps,
  payment: Operation,
  orderId: OrderId,
): Promise<string | undefined> {
  for (const { sessionId, leftAmount } of await deps.medusa.paidOfOrder(orderId)) {
    if (sessionId === payment.paymentSessionId) return leftAmount
    if ((await findMoneyOfSession(deps.database, sessionId))?.id === payment.id) return leftAmount
  }
  return undefined
}

/** @throws Refusal with which the payment provider refused the refund */
export async function makeInMedusa(
  deps: FlowDeps,
  records: RefundRecords,
  amount: string,
  createdBy: string,
  note?: string,
): Promise<void> {
  try {
    await deps.medusa.makeRefund({
      paymentId: records.paymentId,
      amount,
      createdBy,
      note,
      // Without the workflow, the job writes the rest of Medusa's records.
      isByWorkflow: records.order !== null && !records.order.isCanceled && !hasOpenRow(records),
    })
  } catch (error) {
    throw refusalThroughMedusa(error) ?? error
  }
}

async function straight(deps: FlowDeps, refund: Operation, adminId: AdminId): Promise<void> {
  const parent = await parentOf(deps, refund)
  if (!parent.collected) throw refusal("refund_unavailable")
  await sendRefund(deps, {
    operationId: parent.id,
    medusaAmount: refund.medusaAmount ?? "0",
    capturedAmount: majorText(parent.collected),
    ...(isOfRest(refund) ? REST_OF_A_PAYMENT : {}),
    medusaRefundId: null,
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
