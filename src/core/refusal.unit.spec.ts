import {
  invalid,
  refusal,
  Refusal,
  refusalThroughMedusa,
  refusedByGateway,
  STATUS_OF,
  tooMany,
} from "./refusal"
import { REFUSALS } from "./messages/refusal.en"

const keys = Object.values(REFUSALS).flatMap((sentences) => Object.keys(sentences))

describe("the catalogue", () => {
  it("has each situation under a code, of the code's own status", () => {
    const strays = Object.entries(REFUSALS).flatMap(([status, sentences]) =>
      Object.keys(sentences).filter((key) => {
        const [code = ""] = key.split(".")
        return String(Object.entries(STATUS_OF).find(([known]) => known === code)?.[1]) !== status
      }),
    )
    expect(strays).toEqual([])
    expect(new Set(keys).size).toBe(keys.length)
  })

  it("says the same only once", () => {
    const sentences = Object.values(REFUSALS).flatMap((group) => Object.values(group))
    expect(new Set(sentences).size).toBe(sentences.length)
  })

  it("keeps the status of each public code", () => {
    const byStatus = new Map<number, string[]>()
    for (const [code, status] of Object.entries(STATUS_OF)) {
      byStatus.set(status, [...(byStatus.get(status) ?? []), code].sort())
    }
    expect(Object.fromEntries(byStatus)).toEqual(PUBLIC)
  })
})

describe("a refusal", () => {
  it("carries its code, its situation, its facts, its details and its sentence", () => {
    const refused = refusal(
      "currency_not_served.payment_method",
      { currency: "EUR" },
      { currencies: ["USD"] },
    )
    expect(refused).toBeInstanceOf(Error)
    expect(refused).toMatchObject({ httpStatus: 400, details: { currencies: ["USD"] } })
    expect(refused.toResponse()).toEqual({
      code: "currency_not_served",
      situation: "currency_not_served.payment_method",
      message: "This payment method does not take EUR. Choose another currency or payment method.",
      facts: { currency: "EUR" },
    })
  })

  it("writes amounts, lists and what is not known into its sentence", () => {
    const money = { amount: "4.99", currency: "USD" }
    expect(refusal("refund_too_much", { left: money }).message).toContain(": 4.99 USD.")
    expect(refusal("cart_not_ready", { missing: ["items", "stock"] }).message).toContain(
      ": items, stock.",
    )
    expect(refusal("not_paid", { reads: [] }).message).toContain("reads: –.")
    expect(refusal("payment_intent_used", { used: null }).message).toContain("id –.")
  })

  it("names the field that is wrong", () => {
    expect(invalid("limit", "at_most", { most: 50 })).toMatchObject({
      key: "invalid_request.at_most",
      message: "limit: Too long or too large: at most 50.",
      details: { field: "limit" },
    })
    expect(invalid(null, "json")).toMatchObject({ details: { field: null } })
    expect(invalid(null, "json").message).toMatch(/^body: /)
  })

  it("takes more details and stays the same else", () => {
    const refused = invalid("phone").with({ id: "mpop_1" })
    expect(refused).toMatchObject({
      message: invalid("phone").message,
      details: { field: "phone", id: "mpop_1" },
    })
  })

  it("says how long to wait, in the answer's body, too", () => {
    expect(tooMany(1_001)).toMatchObject({
      facts: { seconds: 2 },
      details: { retry_after_seconds: 2 },
    })
    expect(tooMany(0).details).toEqual({ retry_after_seconds: 1 })
  })

  it("passes on what the gateway said, where it said anything", () => {
    expect(refusedByGateway("no such account").message).toContain("no such account")
    expect(refusedByGateway("").key).toBe("gateway_refused")
  })

  it("comes back through Medusa with its code and its sentence", () => {
    const passedOn = ({ code, message }: Refusal) =>
      refusalThroughMedusa(new Error(`${code}: ${message}`))
    const busy = refusal("refund_unavailable.busy")
    expect(passedOn(busy)?.toResponse()).toEqual(busy.toResponse())
    const tooMuch = refusal("refund_too_much", { left: "4.99" })
    expect(passedOn(tooMuch)).toBeInstanceOf(Refusal)
    expect(passedOn(tooMuch)).toMatchObject({
      code: "refund_too_much",
      message: tooMuch.message,
      details: { situation: null },
    })
    expect(refusalThroughMedusa(new Error("no_such_code: Fill it up."))).toBeUndefined()
    expect(refusalThroughMedusa("wallet_too_low: Fill it up.")).toBeUndefined()
  })
})

/** What shops rely on. */
const PUBLIC = {
  400: [
    "amount_not_payable",
    "currency_not_served",
    "invalid_phone",
    "invalid_request",
    "origin_not_allowed",
    "period_too_long",
    "phone_required",
    "secret_required",
  ],
  404: [
    "account_not_found",
    "cart_not_found",
    "customer_not_found",
    "operation_not_found",
    "operator_unknown",
    "order_not_found",
    "receipt_not_ready",
    "region_not_found",
    "request_not_found",
    "session_not_found",
  ],
  409: [
    "account_in_use",
    "account_needs_second_admin",
    "account_read_only",
    "action_not_possible",
    "already_paid",
    "already_resolved",
    "amount_differs",
    "another_payment_live",
    "cannot_be_settled",
    "cart_changed",
    "cart_not_ready",
    "changed_meanwhile",
    "currency_taken",
    "encryption_key_missing",
    "idempotency_key_reused",
    "link_closed",
    "money_out_above_cap",
    "money_out_in_doubt",
    "money_out_needs_person",
    "money_out_needs_second_admin",
    "money_out_off",
    "not_in_review",
    "not_its_order",
    "not_paid",
    "not_verified",
    "nothing_to_pay",
    "order_closed",
    "order_is_draft",
    "other_payment_open",
    "payment_in_progress",
    "payment_intent_differs",
    "payment_intent_taken",
    "payment_intent_unknown",
    "payment_intent_used",
    "quote_changed",
    "reconciliation_running",
    "refund_amount_changed",
    "refund_completed",
    "refund_in_progress",
    "refund_needs_second_admin",
    "refund_not_completed",
    "refund_retried",
    "refund_too_much",
    "refund_unavailable",
    "refund_unclear",
    "request_ended",
    "request_is_own",
    "request_needs_person",
    "request_needs_right",
    "resend_not_possible",
    "second_admin_missing",
    "under_review",
    "wallet_too_low",
  ],
  415: ["unsupported_media_type"],
  422: ["gateway_refused", "wrong_passcode"],
  429: ["card_paused", "cards_busy", "too_many_requests"],
  503: [
    "gateway_unavailable",
    "not_configured",
    "quote_unavailable",
    "store_unavailable",
    "tables_not_migrated",
  ],
}
