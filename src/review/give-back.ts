/**
 * Money in review goes back because a person says so: straight to the gateway, or, where Medusa has
 * captured it, through Medusa, whose books would not know otherwise. The reserve in the ledger
 * keeps it from going back twice, whoever asks and however often.
 */
import { majorText, sameMoney, type Money } from "../core/money"
import { hasEnded, type Operation } from "../core/operation"
import { Refusal, refusal, refusedByGateway } from "../core/refusal"
import { findAllOfCollection, findById } from "../ledger/find-operations"
import type { FlowDeps } from "../engine/deps"
import { paymentsOf } from "../engine/medusa-holds"
import { requestRefund } from "../refunds/request-refund"

/** @throws Refusal when nothing was sent, or the gateway said no */
export async function giveBack(
  deps: FlowDeps,
  operation: Operation,
  { note, adminId }: { readonly note: string; readonly adminId: string },
): Promise<void> {
  const { collected } = operation
  if (!collected) throw refusal("not_paid", { reads: null })
  if (operation.paymentIntentId === null) {
    throw refusal("payment_intent_unknown")
  }
  const sessionId = await capturedSession(deps, operation)
  if (sessionId !== undefined) {
    return deps.host.refundCaptured(sessionId, { createdBy: adminId, note })
  }
  await straight(deps, operation, collected, note, adminId)
}

async function straight(
  deps: FlowDeps,
  operation: Operation,
  money: Money,
  note: string,
  adminId: string,
): Promise<void> {
  const amount = majorText(money)
  try {
    const answer = await requestRefund(deps, {
      operationId: operation.id,
      hostAmount: amount,
      capturedAmount: amount,
      hostRefundId: null,
      askedBy: adminId,
      adminId,
      code: "note",
      note,
      // Somebody may have accepted or dismissed it since it was read, or a check may have seen
      // more.
      onlyIf: ({ state, returnedAt, reservedRefundMinor, collected }) =>
        state === "review" &&
        returnedAt === null &&
        reservedRefundMinor === 0n &&
        collected !== null &&
        sameMoney(collected, money),
      isWaitedFor: true,
    })
    if (answer.kind === "refused") {
      const { reason } = answer.refund
      // FAILED once is a strong hint, not a fact: its part stays reserved until it was said twice.
      throw hasEnded(answer.refund)
        ? refusedByGateway(reason ?? "", { reason })
        : refusal("gateway_refused.unconfirmed", { reason }, { reason })
    }
  } catch (error) {
    const isTaken = error instanceof Refusal && error.code === "refund_unavailable"
    const now = isTaken ? await findById(deps.database, operation.id) : undefined
    if (now && (now.reservedRefundMinor > 0n || now.state !== "review")) {
      throw refusal("already_resolved", {}, { decided: null })
    }
    throw error
  }
}

/**
 * The session whose payment Medusa captured of it, if any. Its session may hold the payment of
 * another operation, which was tried on it before or after. A duplicate payment is never captured.
 */
async function capturedSession(deps: FlowDeps, operation: Operation): Promise<string | undefined> {
  if (operation.surplus) return undefined
  const { payments } = await deps.host.record(operation.paymentCollectionId, operation.providerId)
  const others = (await findAllOfCollection(deps.database, operation.paymentCollectionId)).filter(
    (other) => other.id !== operation.id && other.recordedAt !== null,
  )
  const captured = payments.filter(
    ({ sessionId, isCaptured }) =>
      isCaptured && !others.some(({ paymentSessionId }) => paymentSessionId === sessionId),
  )
  const [payment] = await paymentsOf(deps, operation, captured)
  return payment?.sessionId
}
