/**
 * What the product says no with. A refusal is an expected answer: it has a stable code that a shop's
 * code may rely on, a sentence that says what to do, and the HTTP status that goes with the code.
 */

/** Codes of the store's and the admin's routes and the HTTP status of each. */
export const REFUSALS = {
  invalid_phone: 400,
  phone_required: 400,
  amount_not_payable: 400,
  currency_not_served: 400,
  origin_not_allowed: 400,
  invalid_request: 400,
  secret_required: 400,
  period_too_long: 400,
  cart_not_found: 404,
  session_not_found: 404,
  operator_unknown: 404,
  operation_not_found: 404,
  account_not_found: 404,
  order_not_found: 404,
  customer_not_found: 404,
  region_not_found: 404,
  receipt_not_ready: 404,
  payment_in_progress: 409,
  already_paid: 409,
  under_review: 409,
  cart_changed: 409,
  cart_not_ready: 409,
  order_closed: 409,
  order_is_draft: 409,
  nothing_to_pay: 409,
  other_payment_open: 409,
  resend_not_possible: 409,
  link_closed: 409,
  quote_changed: 409,
  refund_unavailable: 409,
  refund_too_much: 409,
  refund_unclear: 409,
  refund_amount_changed: 409,
  payment_intent_unknown: 409,
  payment_intent_taken: 409,
  payment_intent_used: 409,
  payment_intent_differs: 409,
  refund_in_progress: 409,
  refund_completed: 409,
  refund_not_completed: 409,
  refund_retried: 409,
  refund_needs_second_admin: 409,
  account_needs_second_admin: 409,
  money_out_off: 409,
  money_out_above_cap: 409,
  money_out_needs_second_admin: 409,
  money_out_needs_person: 409,
  not_in_review: 409,
  already_resolved: 409,
  action_not_possible: 409,
  not_paid: 409,
  amount_differs: 409,
  another_payment_live: 409,
  not_its_order: 409,
  cannot_be_settled: 409,
  idempotency_key_reused: 409,
  wallet_too_low: 409,
  not_verified: 409,
  account_read_only: 409,
  account_in_use: 409,
  currency_taken: 409,
  changed_meanwhile: 409,
  encryption_key_missing: 409,
  reconciliation_running: 409,
  unsupported_media_type: 415,
  gateway_refused: 422,
  wrong_passcode: 422,
  too_many_requests: 429,
  gateway_unavailable: 503,
  not_configured: 503,
  quote_unavailable: 503,
} as const

export type RefusalCode = keyof typeof REFUSALS

export class Refusal extends Error {
  override readonly name = "Refusal"
  readonly code: RefusalCode
  /** Answered beside code and message: `currencies`, `missing`, `payment`, `retry_after_seconds`. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: RefusalCode, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.code = code
    this.details = details
  }

  get httpStatus(): number {
    return REFUSALS[this.code]
  }
}

/** For now only. The seconds are in the body as well: a page of another origin can't read `Retry-After`. */
export function tooMany(sentence: string, waitMs: number): Refusal {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000))
  const wait = seconds < 60 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
  return new Refusal("too_many_requests", `${sentence} Try again in ${wait}.`, {
    retry_after_seconds: seconds,
  })
}
