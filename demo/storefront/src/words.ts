/**
 * What the shop says about payments: one sentence for each thing that can happen, what to do
 * included. Anything without a sentence of its own is still said, in general words.
 */
import { PaymentRefused } from "./api/payments"
import type { PaymentStatus } from "./api/payment-status"
import { sentenceOf } from "./api/store"

const FAILED_REASONS: Readonly<Record<string, string>> = {
  declined: "The payment was declined on the phone.",
  insufficient_funds: "There is not enough money in that account.",
  wrong_pin: "The PIN was wrong.",
  limit: "The amount is over a limit of that account.",
  operator_unavailable: "The operator does not answer at the moment.",
  canceled: "The payment was cancelled.",
  never_landed: "No request could be sent to the phone.",
  window_closed: "Nobody approved the payment in time.",
  returned: "The money was sent back to you.",
}

/** Why a payment ended without money, in words. */
export function endedBecause(status: PaymentStatus): string {
  const known = status.reason === null ? undefined : FAILED_REASONS[status.reason]
  return known ?? "The payment did not go through."
}

const MISSING: Readonly<Record<string, string>> = {
  items: "something in the cart",
  email: "an e-mail address",
  shipping_address: "a delivery address",
  shipping_method: "a way of delivery",
  stock: "enough in stock",
}

/** `["email", "shipping_method"]` becomes "an e-mail address, a way of delivery". */
export function missingInWords(missing: readonly string[]): string {
  return missing.map((key) => MISSING[key] ?? key.replaceAll("_", " ")).join(", ")
}

/** What to show when paying was refused. */
export function refusalInWords(error: unknown): string {
  if (!(error instanceof PaymentRefused)) return sentenceOf(error)
  switch (error.code) {
    case "cart_changed":
      return "Your cart changed. Look at the new total, then pay again."
    case "cart_not_ready":
      return error.missing.length > 0
        ? `Before you can pay we need ${missingInWords(error.missing)}.`
        : error.message
    case "gateway_unavailable":
      return "The payment service does not answer. You were not charged. Try again in a moment."
    default:
      return error.message
  }
}

const PHONE_CODES = ["invalid_phone", "phone_required", "operator_unknown", "currency_not_served"]

/** Whether the sentence belongs next to the phone number. */
export function isAboutPhone(error: unknown): boolean {
  return error instanceof PaymentRefused && PHONE_CODES.includes(error.code)
}
