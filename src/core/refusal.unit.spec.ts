import { Refusal, REFUSALS } from "./refusal"

describe("a refusal", () => {
  it("has the HTTP status that goes with its code", () => {
    const byStatus = new Map<number, string[]>()
    for (const [code, status] of Object.entries(REFUSALS)) {
      byStatus.set(status, [...(byStatus.get(status) ?? []), code])
    }
    expect(Object.fromEntries(byStatus)).toEqual({
      400: [
        "invalid_phone",
        "phone_required",
        "amount_not_payable",
        "currency_not_served",
        "origin_not_allowed",
        "invalid_request",
        "secret_required",
        "period_too_long",
      ],
      404: [
        "cart_not_found",
        "session_not_found",
        "operator_unknown",
        "operation_not_found",
        "account_not_found",
        "order_not_found",
        "customer_not_found",
        "region_not_found",
        "receipt_not_ready",
      ],
      409: [
        "payment_in_progress",
        "already_paid",
        "under_review",
        "cart_changed",
        "cart_not_ready",
        "order_closed",
        "order_is_draft",
        "nothing_to_pay",
        "other_payment_open",
        "resend_not_possible",
        "link_closed",
        "quote_changed",
        "refund_unavailable",
        "refund_too_much",
        "refund_unclear",
        "refund_amount_changed",
        "payment_intent_unknown",
        "payment_intent_taken",
        "payment_intent_used",
        "payment_intent_differs",
        "refund_in_progress",
        "refund_completed",
        "refund_not_completed",
        "refund_retried",
        "refund_needs_second_admin",
        "account_needs_second_admin",
        "money_out_off",
        "money_out_above_cap",
        "money_out_needs_second_admin",
        "money_out_needs_person",
        "not_in_review",
        "already_resolved",
        "action_not_possible",
        "not_paid",
        "amount_differs",
        "another_payment_live",
        "not_its_order",
        "cannot_be_settled",
        "idempotency_key_reused",
        "wallet_too_low",
        "not_verified",
        "account_read_only",
        "account_in_use",
        "currency_taken",
        "changed_meanwhile",
        "encryption_key_missing",
        "reconciliation_running",
      ],
      415: ["unsupported_media_type"],
      422: ["gateway_refused", "wrong_passcode"],
      429: ["too_many_requests"],
      503: ["gateway_unavailable", "not_configured", "quote_unavailable"],
    })
  })

  it("carries its code, its sentence and what goes beside them", () => {
    const refusal = new Refusal("currency_not_served", "Not in EUR.", { currencies: ["USD"] })
    expect(refusal).toBeInstanceOf(Error)
    expect(refusal).toMatchObject({
      code: "currency_not_served",
      message: "Not in EUR.",
      httpStatus: 400,
      details: { currencies: ["USD"] },
    })
    expect(new Refusal("already_paid", "Paid.").details).toEqual({})
  })
})
