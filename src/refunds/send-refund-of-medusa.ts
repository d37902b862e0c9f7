/**
 * Medusa asks a payment provider for a refund, under a row that it made just before. The answer is
 * yes where the money is on its way, else a refusal: then Medusa deletes its row again (H10), and
 * the part stays reserved until the refund's end is known.
 *
 * A second click adopts a refund of the ledger that no row stands for, so that the same money is
 * not sent twice. The job's own row carries a mark; for it the gateway is never called.
 *
 * If the process dies before the yes is committed, or before Medusa has written what follows, the
 * row has no transaction; the job finds that, and asks again under its mark.
 */
import type { MedusaRefundId, OperationId } from "../core/ids"
import { LIMITS } from "../core/limits"
import { isBelowSmallestUnit } from "../core/money"
import { isOwedToMedusa, type Operation } from "../core/operation"
import { refusal } from "../core/refusal"
import { findById } from "../ledger/find-operations"
import type { MoneyDeps } from "../engine/deps"
import { refusalOfRefund } from "../engine/gateway-refusal"
import type { MedusaRefund } from "../engine/medusa-port"
import { keptNote } from "../ledger/kept-note"
import { sendRefund, type RefundRequest } from "./send-refund-to-gateway"
import { existingOf, markedApproval, markedRefund, type Existing } from "./rules/adopt-refund"
import { findApproved } from "./sql/approvals"
import { findCollectedFor, findRefundsOf } from "./sql/find-refunds"
import { adoptRefund, answerRefund } from "./sql/reserve-refund"

/**
 * @param rowId the id of Medusa's refund row; all else is read from Medusa's tables and the ledger
 * @throws Refusal as `sendRefund`, and `refund_in_progress`, `under_review`, `gateway_refused`,
 *   `wallet_too_low`, `not_verified`. Medusa must not show the refund then.
 */
export async function sendRefundOfMedusa(deps: MoneyDeps, rowId: MedusaRefundId): Promise<void> {
  const row = await deps.medusa.refund(rowId)
  if (!row) throw refusal("refund_unavailable.no_such_refund")
  if (row.isBehind) throw refusal("refund_in_progress")
  const collected = await findCollectedFor(deps.database, row.sessionId)
  const [payment] = collected.filter(({ providerId }) => providerId === row.providerId)
  // An amount that no payer could pay was never charged: there is nothing to send.
  if (!payment && isOfNothing(row)) return
  if (!payment) throw refusal("refund_unavailable")
  if (isOfUndoneCompletion(row, payment)) throw refusal("refund_unavailable.unsettled")
  const marked = markedRefund(row.createdBy)
  return marked === undefined
    ? refundOf(deps, row, payment)
    : adoptMarked(deps, row, collected, marked)
}

function isOfNothing({ capturedAmount: amount, currency }: MedusaRefund): boolean {
  return currency !== undefined && isBelowSmallestUnit({ amount, currency })
}

/**
 * A cart's completion that fails after its capture makes Medusa refund the payment, without a maker
 * (H25). The order is still owed the money: the job completes the cart again, or holds the money
 * for an admin.
 */
function isOfUndoneCompletion(row: MedusaRefund, payment: Operation): boolean {
  return row.createdBy === null && !row.hasOrder && isOwedToMedusa(payment)
}

async function refundOf(deps: MoneyDeps, row: MedusaRefund, payment: Operation): Promise<void> {
  const { askedBy, adminId, note, use } = await askerOf(deps, row)
  const answer = await sendRefund(deps, {
    operationId: payment.id,
    medusaAmount: row.amount,
    capturedAmount: row.capturedAmount,
    medusaRefundId: row.id,
    askedBy,
    adminId,
    note,
    use,
    code: "refund_by_medusa",
    standIn: (collection) => standInFor(deps, row, collection),
    isWaitedFor: true,
  })
  switch (answer.kind) {
    case "nothing_to_send":
      if (use) throw refusal("refund_unavailable.nothing_left")
      return
    case "accepted":
      return answerMedusa(deps, row, answer.refund)
    case "refused":
      throw refusalOfRefund(answer.refund)
    case "in_progress":
      throw refusal("refund_in_progress")
  }
}

type AskedBy = Pick<RefundRequest, "askedBy" | "adminId" | "note" | "use">

async function askerOf(deps: MoneyDeps, { createdBy, note }: MedusaRefund): Promise<AskedBy> {
  const requestId = markedApproval(createdBy)
  if (requestId === undefined) {
    const kept = note == null ? undefined : keptNote(note)
    return { askedBy: createdBy ?? "medusa", adminId: createdBy ?? undefined, note: kept }
  }
  const use = await findApproved(deps.database, requestId)
  if (!use) throw refusal("request_ended")
  return { askedBy: use.askedBy, adminId: use.approvedBy, note: use.note ?? undefined, use }
}

/**
 * The yes is committed before Medusa gets it, so that the job knows what Medusa shows. A process
 * that slept until the job had recorded the refund, or removed its row, says no: Medusa would
 * write the same refund a second time. Medusa deletes the row then; where the refund was recorded
 * under it, the reconciliation lists `returned_not_in_medusa`.
 */
async function answerMedusa(deps: MoneyDeps, row: MedusaRefund, refund: Operation): Promise<void> {
  if (!(await deps.medusa.shown([row.id])).has(row.id)) throw refusal("refund_in_progress")
  const answered = await answerRefund(deps.database, refund.id, row.id)
  if (answered) return
  const now = await findById(deps.database, refund.id)
  const isRefused = now?.medusaRefundId === row.id && now.recordedAt === null
  throw isRefused ? refusalOfRefund(now) : refusal("refund_in_progress")
}

/** The existing refund that is asked for again; undefined where there is none. */
async function standInFor(
  deps: MoneyDeps,
  row: MedusaRefund,
  collection: Operation,
): Promise<Operation | "again" | undefined> {
  const judged = await judge(deps, row, await findRefundsOf(deps.database, collection.id))
  const open = judged.find(({ existing }) => existing === "adopt")
  if (open) return (await adoptRefund(deps.database, open.refund, row.id)) ?? "again"
  refuseUndecided(judged)
  return undefined
}

/**
 * Binds a row of Medusa that the job made. The job makes a row only for a refund that was sent, so
 * nothing is sent for it.
 */
async function adoptMarked(
  deps: MoneyDeps,
  row: MedusaRefund,
  payments: readonly Operation[],
  refundOperationId: OperationId,
): Promise<void> {
  for (let attempt = 0; attempt < LIMITS.refundReserveTries; attempt++) {
    const refund = await findById(deps.database, refundOperationId)
    const isOfPayment = payments.some(({ id }) => id === refund?.parentId)
    if (!refund || !isOfPayment) throw refusal("refund_unavailable.no_such_refund")
    const judged = await judge(deps, row, [refund])
    refuseUndecided(judged)
    if (judged[0]?.existing !== "adopt") throw refusal("refund_unavailable.no_such_refund")
    if (await adoptRefund(deps.database, refund, row.id)) return
  }
  throw refusal("refund_in_progress")
}

function refuseUndecided(judged: readonly { readonly existing: Existing }[]): void {
  const isAny = (wanted: Existing) => judged.some(({ existing }) => existing === wanted)
  if (isAny("in_progress")) throw refusal("refund_in_progress")
  if (isAny("under_review")) throw refusal("under_review.refund")
}

async function judge({ medusa }: MoneyDeps, row: MedusaRefund, refunds: readonly Operation[]) {
  const shown = await medusa.shown(refunds.flatMap(({ medusaRefundId }) => medusaRefundId ?? []))
  const click = { rowId: row.id, amount: row.amount, ageMs: row.ageMs }
  return refunds.map((refund) => ({
    refund,
    existing: existingOf(refund, click, shown.has(refund.medusaRefundId)),
  }))
}
