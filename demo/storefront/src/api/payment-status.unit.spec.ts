import { hasEnded, isInFlight, readPaymentStatus } from "./payment-status"

const WIRE = {
  id: "payses_1",
  state: "waiting_for_payer",
  flow: "push",
  provider_id: "pp_mobile-money_merchant",
  amount: 1250,
  currency: "LRD",
  payer_amount: null,
  payer_currency: null,
  reference: null,
  url: null,
  client_secret: null,
  prompt: "sending",
  operator: { payment_method: "OPERATOR1_MOMO_LBR", carrier: "Operator 1" },
  phone_hint: "456",
  reason: null,
  can_retry: false,
  expires_at: "2026-01-01T12:00:00.000Z",
  order_id: null,
  checked_at: null,
}

test("a status reads with every field that the pages show", () => {
  expect(readPaymentStatus(WIRE)).toEqual({
    id: "payses_1",
    state: "waiting_for_payer",
    flow: "push",
    providerId: "pp_mobile-money_merchant",
    amount: 1250,
    currency: "LRD",
    url: null,
    prompt: "sending",
    operatorName: "Operator 1",
    phoneHint: "456",
    reason: null,
    canRetry: false,
    expiresAt: "2026-01-01T12:00:00.000Z",
    orderId: null,
  })
})

test("a state that is not known is never an end, so the page does not invite to pay twice", () => {
  const status = readPaymentStatus({ ...WIRE, state: "settling" })
  expect(status).not.toBeNull()
  if (status === null) return
  expect(hasEnded(status)).toBe(false)
  expect(isInFlight(status)).toBe(true)
})

test("a payment that failed is followed until it may be tried again", () => {
  const failed = { ...WIRE, state: "failed", reason: "declined" }
  const ended = [false, true].map((canRetry) => {
    const status = readPaymentStatus({ ...failed, can_retry: canRetry })
    return status !== null && hasEnded(status)
  })
  expect(ended).toEqual([false, true])
})

test.each([null, undefined, "payses_1", [], {}, { id: 7 }])("%j is no status", (value) => {
  expect(readPaymentStatus(value)).toBeNull()
})
