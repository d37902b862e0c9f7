import {
  aHostedOperation,
  afterNoon,
  anOperation,
  money,
  SECOND,
} from "../../../integration-tests/support/an-operation"
import {
  END_REASONS,
  REVIEW_REASONS,
  type Operation,
  type MedusaOperation,
} from "../../core/operation"
import { readyStatus, statusOf } from "./status"

const KEYS = [
  "id",
  "state",
  "flow",
  "provider_id",
  "amount",
  "returned_amount",
  "beyond_amount",
  "currency",
  "payer_amount",
  "payer_currency",
  "reference",
  "url",
  "client_secret",
  "prompt",
  "operator",
  "phone_hint",
  "reason",
  "can_retry",
  "can_cancel",
  "expires_at",
  "expires_in_seconds",
  "order_id",
  "checked_at",
  "receipt_url",
].sort()

const atWork = { leaseUntil: afterNoon(30 * SECOND), readAt: afterNoon(0) }
const recordedAt = afterNoon(SECOND)

describe("STATUS", () => {
  it.each<[string, Operation, string]>([
    ["a draft", anOperation({ state: "drafted" }), "ready"],
    ["a draft at work", anOperation({ state: "drafted", ...atWork }), "waiting_for_payer"],
    ["submitted", anOperation({ state: "submitted" }), "waiting_for_payer"],
    ["in flight", anOperation({ state: "in_flight" }), "waiting_for_payer"],
    ["completed", anOperation({ state: "completed" }), "processing"],
    ["recorded", anOperation({ state: "completed", recordedAt }), "paid"],
    ["returned", anOperation({ state: "completed", returnedAt: recordedAt }), "expired"],
    ["failed", anOperation({ state: "failed" }), "failed"],
    ["expired", anOperation({ state: "expired" }), "expired"],
    ["in review", anOperation({ state: "review" }), "under_review"],
  ])("of %s has all keys and the state %#", (_name, operation, state) => {
    const status = statusOf(operation)
    expect(Object.keys(status).sort()).toEqual(KEYS)
    expect(status.state).toBe(state)
    expect(Object.values(status)).not.toContain(undefined)
  })

  it.each([
    [0, 1_800],
    [0.5, 1_800],
    [1_799.5, 1],
    [1_800, 0],
    [90_000, 0],
  ])("tells %d s after the start that %d s are left, and 0 only when it is over", (after, left) => {
    const operation = anOperation({
      expiresAt: afterNoon(1_800 * SECOND),
      readAt: afterNoon(after * SECOND),
    })
    expect(statusOf(operation).expires_in_seconds).toBe(left)
  })

  it("of a session without an operation has all keys as well, absent ones null", () => {
    const session = {
      id: "s",
      providerId: "pp_hosted-checkout_merchant",
      orderId: null,
      registeredCustomerId: null,
    }
    const status = readyStatus(session, "hosted", anOperation().amount)
    expect(Object.keys(status).sort()).toEqual(KEYS)
    expect(status).toMatchObject({ state: "ready", can_retry: false, url: null, reason: null })
  })

  it.each<[string, Operation, string | null]>([
    ["a draft that nobody works at", anOperation({ state: "drafted", lastSending: null }), null],
    ["a draft at work", anOperation({ state: "drafted", lastSending: null, ...atWork }), "sending"],
    ["a sending without an answer", anOperation({ lastSending: "in_doubt" }), "sending"],
    ["an accepted sending", anOperation({ lastSending: "accepted" }), "sent"],
    ["one in flight", anOperation({ state: "in_flight", lastSending: "in_doubt" }), "sent"],
    ["a declined one", anOperation({ state: "failed", lastSending: "accepted" }), "sent"],
    [
      "one that never landed",
      anOperation({ state: "expired", lastSending: "in_doubt", reason: "never_landed" }),
      null,
    ],
    ["a page", aHostedOperation({ state: "in_flight" }), null],
  ])("[B31] tells of %s what the phone has got", (_name, operation, prompt) => {
    expect(statusOf(operation).prompt).toBe(prompt)
  })

  it("names amounts in major units, currencies in upper case, times in UTC", () => {
    const operation = anOperation({
      amount: money(7_666, "RWF"),
      payerAmount: "7820.5",
      checkedAt: afterNoon(SECOND),
    })
    expect(statusOf(operation)).toMatchObject({
      amount: 7_666,
      currency: "RWF",
      payer_amount: 7_820.5,
      expires_at: "2026-11-20T12:30:00.000Z",
      checked_at: "2026-11-20T12:00:01.000Z",
    })
  })

  it("tells what the payer was shown until the gateway names what it takes", () => {
    const operation = anOperation({ quotedPayerAmount: "14.09" })
    expect(statusOf(operation).payer_amount).toBe(14.09)
    expect(statusOf({ ...operation, payerAmount: "14.10" }).payer_amount).toBe(14.1)
  })

  it("answers with the session that asks, also an old one", () => {
    expect(statusOf(anOperation()).id).toBe("payses_1")
    expect(statusOf(anOperation(), "payses_old").id).toBe("payses_old")
  })

  it("has the operator only for a wallet, and a reference only for a push", () => {
    expect(statusOf(anOperation())).toMatchObject({
      reference: "3f1e2b8a-4c5d-4e6f-8a9b-0c1d2e3f4a5b",
      operator: { payment_method: "OPERATOR1_MOMO_LBR", carrier: "Operator 1" },
      phone_hint: "456",
    })
    expect(statusOf(aHostedOperation({ reference: "x" }))).toMatchObject({
      reference: null,
      operator: null,
      // Any phone can pay on the page, whatever number it was made for.
      phone_hint: null,
    })
  })

  it("gives the payment page's address only once it is committed", () => {
    const hostedUrl = "https://pay.example/pay/abc"
    expect(statusOf(aHostedOperation({ state: "drafted", ...atWork })).url).toBeNull()
    expect(statusOf(aHostedOperation({ state: "submitted" })).url).toBe(hostedUrl)
    expect(statusOf(aHostedOperation({ state: "in_flight" })).url).toBe(hostedUrl)
    for (const state of ["completed", "failed", "expired", "review"] as const) {
      expect(statusOf(aHostedOperation({ state })).url).toBeNull()
    }
  })

  it("of a push never has the address at which its source could be paid a second time", () => {
    const operation = anOperation({ hostedUrl: "https://pay.example/pay/abc" })
    expect(statusOf(operation).url).toBeNull()
    expect(statusOf({ ...operation, state: "drafted", ...atWork }).url).toBeNull()
  })

  it("shows why it ended, and never why a person must look", () => {
    for (const reason of END_REASONS) {
      expect(statusOf(anOperation({ state: "failed", reason })).reason).toBe(reason)
    }
    for (const reason of REVIEW_REASONS) {
      expect(statusOf(anOperation({ state: "review", reason })).reason).toBeNull()
      expect(statusOf(anOperation({ state: "failed", reason })).reason).toBeNull()
    }
    const returned = anOperation({ state: "completed", returnedAt: recordedAt })
    expect(statusOf(returned).reason).toBe("returned")
    expect(statusOf({ ...returned, recordedAt })).toMatchObject({ state: "paid", reason: null })
    expect(statusOf(anOperation({ state: "completed", reason: "declined" })).reason).toBeNull()
  })

  it("has what came beyond the amount of a recorded payment and stayed, and of no other", () => {
    const more = { collected: money(2_099), recordedAt }
    const beyond = (given: Partial<MedusaOperation>) =>
      statusOf(anOperation({ state: "completed", ...more, ...given })).beyond_amount
    expect(beyond({})).toBe(1)
    expect(beyond({ refundedMinor: 500n })).toBe(1)
    expect(beyond({ refundedMinor: 2_099n })).toBeNull()
    expect(beyond({ takenBackAt: recordedAt })).toBeNull()
    expect(beyond({ collected: money(1_999) })).toBeNull()
    expect(beyond({ recordedAt: null })).toBeNull()
    expect(beyond({ state: "review" })).toBeNull()
  })

  it.each([
    [0n, 19.99],
    [500n, 19.99],
    [1_999n, 19.99],
  ])(
    "returns no more than was paid where %d was refunded and all is taken back",
    (refunded, back) => {
      const paid = anOperation({ state: "completed", recordedAt, refundedMinor: refunded })
      expect(statusOf({ ...paid, takenBackAt: recordedAt }).returned_amount).toBe(back)
    },
  )

  it("shows a first FAILED's reason while it still waits for the second", () => {
    const operation = anOperation({ state: "in_flight", reason: "declined", failedAt: recordedAt })
    expect(statusOf(operation)).toMatchObject({ state: "waiting_for_payer", reason: "declined" })
  })

  it.each([
    ["failed", "ACTIVE", true],
    ["failed", "CANCELED", true],
    ["failed", "PROCESSING", false],
    ["failed", "PAID", false],
    ["failed", "SOMETHING", false],
    ["expired", "CANCELED", true],
    ["expired", "PROCESSING", false],
    ["submitted", "ACTIVE", false],
    ["review", "CANCELED", false],
  ] as const)(
    "%s with a source that reads %s can be tried again: %s",
    (state, source, expected) => {
      expect(statusOf(anOperation({ state, sourceStatus: source })).can_retry).toBe(expected)
    },
  )

  it.each([
    ["ACTIVE", {}, true],
    [null, {}, true],
    ["PROCESSING", {}, false],
    ["PAID", {}, false],
    ["ACTIVE", { closing: "canceled" }, false],
    ["ACTIVE", { failedAt: null }, false],
  ] as const)(
    "FAILED once, with a source that reads %s and %j, another try is offered: %s",
    (sourceStatus, facts, expected) => {
      const failedAt = new Date()
      const operation = anOperation({ state: "in_flight", sourceStatus, failedAt, ...facts })
      const { state, can_retry, can_cancel } = statusOf(operation)
      expect({ state, can_retry }).toEqual({ state: "waiting_for_payer", can_retry: expected })
      if (expected) expect(can_cancel).toBe(false)
    },
  )

  it("can be tried again when there never was a source", () => {
    const operation = anOperation({ state: "expired", sourceId: null, sourceStatus: null })
    expect(statusOf(operation).can_retry).toBe(true)
  })

  it("holds no phone number, no message and no secret", () => {
    const text = JSON.stringify(statusOf(anOperation()))
    expect(text).not.toMatch(/\d{8,}(?![\da-f]*-)/)
    expect(statusOf(anOperation()).client_secret).toBeNull()
  })
})

describe("[D10] the order's id, with which anyone can read the order in Medusa", () => {
  const orderId = "order_1"
  const registeredCustomerId = "cus_1"
  const { amount } = anOperation()

  it.each<[string, Operation]>([
    ["is being paid", anOperation({ state: "submitted", orderId })],
    ["failed", anOperation({ state: "failed", orderId })],
    ["ran out", anOperation({ state: "expired", orderId })],
    ["is under review", anOperation({ state: "review", orderId })],
    ["is not recorded yet", anOperation({ state: "completed", orderId })],
  ])("is given to its customer, and to no guest while the payment %s", (_name, operation) => {
    expect(statusOf(operation).order_id).toBeNull()
    expect(statusOf(operation, "payses_1", true).order_id).toBe(orderId)
  })

  it("is given to a guest whose payment was just recorded", () => {
    const paid = anOperation({ state: "completed", orderId, recordedAt })
    expect(statusOf({ ...paid, readAt: recordedAt }).order_id).toBe(orderId)
  })

  it("is given to its customer alone before a payment begins", () => {
    const session = { id: "s", providerId: "pp_card_merchant", orderId, registeredCustomerId }
    expect(readyStatus(session, "card", amount).order_id).toBe(orderId)
    const guests = { ...session, registeredCustomerId: null }
    expect(readyStatus(guests, "card", amount).order_id).toBeNull()
  })
})
