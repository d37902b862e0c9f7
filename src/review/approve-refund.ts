/**
 * A second admin approves a refund: it goes as it was asked for, in its asker's name. Approving
 * names the request, which the reserve of the money uses, so a second click finds the refund that
 * the first one made.
 *
 * If the process dies before the reserve, the request still waits; Medusa's row is then repaired as
 * that of any click. If it dies later, the job follows the refund.
 */
import { refusal } from "../core/refusal"
import { requestToApprove, type RequestAnswer } from "../ledger/ask-another-admin"
import { findById } from "../ledger/find-operations"
import { keptNote } from "../ledger/kept-note"
import { endedRefusal, findRequest, requestOfKind, type TwoAdminRequest } from "../ledger/requests"
import type { RefundAskedFor } from "../ledger/schemas/stored-request"
import type { FlowDeps } from "../engine/deps"
import { refusalOfRefund } from "../engine/gateway-refusal"
import { medusaKeyOf } from "../refunds/deliver-refund-to-medusa"
import { approvalMark } from "../refunds/rules/adopt-refund"
import { REST_OF_A_PAYMENT } from "../refunds/rules/refund-amount"
import { sendRefund } from "../refunds/send-refund-to-gateway"
import { findApproved, noteApproval } from "../refunds/sql/approvals"
import { makeInMedusa } from "./retry-refund"

/**
 * @returns the request with the refund that it became, now or by an earlier click
 * @throws Refusal `request_not_found`, `request_ended`, `request_needs_person`, `request_is_own`,
 *   and as `sendRefund`: the request then waits on, unless the gateway has refused or failed it
 */
export async function approveRefund(
  deps: FlowDeps,
  answer: RequestAnswer,
): Promise<TwoAdminRequest> {
  const { database, people } = deps
  const { id, adminId, note } = answer
  const request = await requestToApprove(database, people, ["REFUND"], answer)
  if (request.state === "approved") return request
  const use = { id, approvedBy: adminId, answer: note === undefined ? null : keptNote(note) }
  const { refund } = request.details
  if (!refund) throw endedRefusal({ ...request, state: "closed" })
  if (await noteApproval(database, people, use)) {
    try {
      await carryOut(deps, id, refund)
    } catch (error) {
      // Of two clicks at once, the later is refused in one of several ways.
      const now = await findRequest(database, id)
      if (now?.state !== "approved" || (await isUndone(deps, now))) throw error
    }
  }
  const now = await requestOfKind(database, id, ["REFUND"])
  if (now.state !== "approved") throw endedRefusal(now)
  return now
}

async function carryOut(deps: FlowDeps, id: string, refund: RefundAskedFor): Promise<void> {
  const payment = await findById(deps.database, refund.payment_id)
  const use = await findApproved(deps.database, id)
  if (!payment || !use) throw refusal("refund_unavailable")
  const note = use.note ?? undefined
  if (refund.way === "medusa") {
    const records = await deps.medusa.refundRecords(medusaKeyOf(payment))
    if (!records) throw refusal("refund_unavailable")
    return makeInMedusa(deps, records, refund.medusa_amount, approvalMark(id), note)
  }
  const answer = await sendRefund(deps, {
    ...(refund.way === "rest"
      ? REST_OF_A_PAYMENT
      : { medusaAmount: refund.medusa_amount, capturedAmount: refund.captured_amount }),
    operationId: payment.id,
    medusaRefundId: null,
    askedBy: use.askedBy,
    adminId: use.approvedBy,
    use,
    code: note === undefined ? "refund_again" : "note",
    note,
    onlyIf: ({ state, returnedAt }) => state === "review" && returnedAt === null,
    isWaitedFor: true,
  })
  if (answer.kind === "refused") throw refusalOfRefund(answer.refund)
}

async function isUndone({ database }: FlowDeps, { operationId }: TwoAdminRequest) {
  const refund = operationId === null ? undefined : await findById(database, operationId)
  return refund?.state === "failed" || refund?.state === "expired"
}
