/**
 * An admin gives back money in review. It goes straight to the gateway, or through Medusa where
 * Medusa has captured it, so that Medusa's records show it. The reserve in the ledger keeps the
 * money from going back twice.
 */
import type { AdminId, PaymentSessionId } from "../core/ids"
import { majorText, sameMoney, type Money } from "../core/money"
import { ofMedusa, type Operation } from "../core/operation"
import { Refusal, refusal } from "../core/refusal"
import { findAllOfCollection, findById } from "../ledger/find-operations"
import type { FlowDeps } from "../engine/deps"
import { refusalOfRefund } from "../engine/gateway-refusal"
import { paymentsOf } from "../engine/medusa-holds"
import { nameIntent } from "../refunds/find-intent"
import { sendRefund } from "../refunds/send-refund-to-gateway"
import { REST_OF_A_PAYMENT } from "../refunds/rules/refund-amount"

type GivingBack = {
  /** All the money that was collected. */
  readonly money: Money
  /**
   * Gives back only the part above the asked amount. The job accepts the payment once that part
   * went back.
   */
  readonly isRest: boolean
  readonly note: string
  readonly adminId: AdminId
}

/** @throws Refusal when nothing was sent, or the gateway refused the refund */
export async function giveBack(
  deps: FlowDeps,
  operation: Operation,
  { money, isRest, note, adminId }: GivingBack,
): Promise<void> {
  if (!isRest) {
    const sessionId = await capturedSession(deps, operation)
    if (sessionId !== undefined) {
      // Asked before Medusa is, which would begin a refund and take it back.
      await nameIntent(deps, operation)
      return deps.medusa.refundCaptured(sessionId, { createdBy: adminId, note })
    }
  }
  const amount = majorText(money)
  const before = operation.reservedRefundMinor
  try {
    const answer = await sendRefund(deps, {
      ...(isRest ? REST_OF_A_PAYMENT : { medusaAmount: amount, capturedAmount: amount }),
      operationId: operation.id,
      medusaRefundId: null,
      askedBy: adminId,
      adminId,
      code: "note",
      note,
      // Since the read, an admin may have decided about it, or a check may have seen more money.
      onlyIf: ({ state, returnedAt, reservedRefundMinor, collected }) =>
        state === "review" &&
        returnedAt === null &&
        reservedRefundMinor === before &&
        collected !== null &&
        sameMoney(collected, money),
      isWaitedFor: true,
    })
    if (answer.kind === "refused") throw refusalOfRefund(answer.refund)
  } catch (error) {
    const isTaken = error instanceof Refusal && error.code === "refund_unavailable"
    const now = isTaken ? await findById(deps.database, operation.id) : undefined
    if (now && (now.reservedRefundMinor > before || now.state !== "review")) {
      throw refusal("already_resolved", {}, { decided: null })
    }
    throw error
  }
}

/**
 * The session whose payment in Medusa captured this money, if any. A session may instead hold the
 * payment of another operation that was tried on it. Medusa never captures a duplicate payment.
 */
async function capturedSession(
  deps: FlowDeps,
  operation: Operation,
): Promise<PaymentSessionId | undefined> {
  if (operation.isDuplicate) return undefined
  const { paymentCollectionId, providerId } = ofMedusa(operation)
  const { payments } = await deps.medusa.record(paymentCollectionId, providerId)
  const others = (await findAllOfCollection(deps.database, paymentCollectionId)).filter(
    (other) => other.id !== operation.id && other.recordedAt !== null,
  )
  const captured = payments.filter(
    ({ sessionId, isCaptured }) =>
      isCaptured && !others.some(({ paymentSessionId }) => paymentSessionId === sessionId),
  )
  const [payment] = await paymentsOf(deps, operation, captured)
  return payment?.sessionId
}
