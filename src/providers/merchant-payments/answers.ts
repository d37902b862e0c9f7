import { MedusaError } from "@medusajs/framework/utils"
import type { Operation } from "../../core/operation"

/** Refunding through the gateway comes with its own flow; until then nothing is sent. */
export function refundUnavailable(): MedusaError {
  return new MedusaError(
    MedusaError.Types.NOT_ALLOWED,
    "refund_unavailable: this payment can't be refunded from here yet. Nothing was sent. " +
      "Refund it in the merchant portal.",
  )
}

/** A silent yes would mark captured money as canceled, and settling again would fail (H11). */
export function cancelHoldsMoney(operation: Operation): MedusaError {
  return new MedusaError(
    MedusaError.Types.NOT_ALLOWED,
    `payment_holds_money: ${operation.id} is paid. It can be refunded, not canceled.`,
  )
}

export function notCaptured(): MedusaError {
  return new MedusaError(
    MedusaError.Types.NOT_ALLOWED,
    "payment_not_collected: the gateway has not confirmed this payment, so it can't be captured. " +
      "It is captured by itself as soon as the gateway confirms it.",
  )
}

export function requiresMore(sentence: string): MedusaError {
  return new MedusaError(MedusaError.Types.PAYMENT_REQUIRES_MORE_ERROR, sentence)
}
