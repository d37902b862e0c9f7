import { MedusaError } from "@medusajs/framework/utils"
import type { Operation } from "../../core/operation"
import { Refusal } from "../../core/refusal"

/**
 * Turns an expected refusal into Medusa's error. The code precedes the sentence, because Medusa
 * passes on nothing else. Other errors are returned unchanged.
 */
export function asMedusaError(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error
  return new MedusaError(MedusaError.Types.NOT_ALLOWED, `${error.code}: ${error.message}`)
}

/** Agreeing would mark captured money as canceled, and settling again would fail (H11). */
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
