import { currency, money, SESSION } from "../../../../integration-tests/gateway/calls"
import {
  PAYOUT_SESSION,
  REFUND_SESSION,
  TRANSFER_SESSION,
} from "../../../../integration-tests/gateway/calls/sessions"
import { misread, read, refused, written } from "../../../../integration-tests/gateway/reading"
import {
  createCheckoutSession,
  createPayoutSession,
  createRefundSession,
  createTransferSession,
} from "./sessions"

const EXPIRES_AT = new Date("2026-06-01T11:00:00Z")
const payout = { payoutAccountId: 21, amount: money("25") }
const transfer = {
  fromWalletId: 3,
  toCounterpartyId: 16,
  amount: money("25"),
  expiresAt: EXPIRES_AT,
}
const refund = {
  originalPaymentIntentId: 777,
  amount: money("10"),
  expiresAt: EXPIRES_AT,
  reason: "Returned goods",
}

/** Amounts that are never sent. */
const BAD_AMOUNTS = [
  ["zero", money("0")],
  ["negative", { minor: -100n, currency: currency("USD") }],
  [
    "in a currency of small letters",
    { minor: 100n, currency: "usd" as ReturnType<typeof currency> },
  ],
] as const

describe("sessions/checkout", () => {
  it("reads when the session was made", () => {
    expect(
      read(createCheckoutSession, SESSION, { sourceType: "ORDER", sourceId: 301 }),
    ).toMatchObject({ createdAt: "2026-06-01T10:00:00Z", updatedAt: "2026-06-01T10:00:00Z" })
  })
})

describe("sessions/payout", () => {
  it("writes account, amount and currency, and neither wallet nor expiry", () => {
    expect(written(createPayoutSession, { ...payout, amount: money("0.10") })).toEqual({
      body: { payout_account_id: 21, amount: 0.1, currency: "USD" },
    })
  })

  it("reads the wallet that is debited and the exact amount", () => {
    expect(read(createPayoutSession, { ...PAYOUT_SESSION, surprise: 1 }, payout)).toEqual({
      id: 61,
      status: "ACTIVE",
      payoutAccountId: 21,
      amount: money("25"),
      walletId: 3,
      expiresAt: "2026-06-01T10:30:00Z",
      createdAt: "2026-06-01T10:00:00Z",
      updatedAt: "2026-06-01T10:00:00Z",
      wire: { ...PAYOUT_SESSION, surprise: 1 },
    })
  })

  it("takes amounts as text, and does without wallet and times", () => {
    const scant = {
      id: "61",
      payout_account_id: "21",
      amount: "25.00",
      currency: "USD",
      status: "NEW",
    }
    expect(read(createPayoutSession, scant, payout)).toMatchObject({
      id: 61,
      status: "NEW",
      amount: money("25"),
    })
  })

  it.each([
    ["id", { id: undefined }],
    ["status", { status: null }],
    ["amount", { amount: null }],
    ["amount", { amount: 25.001 }],
    ["amount", { amount: 2500 }],
    ["amount", { amount: -25 }],
    ["currency", { currency: undefined }],
    ["currency", { currency: "LRD" }],
    ["payout_account_id", { payout_account_id: 22 }],
  ])("[N13][N27] is not read when %s is wrong", (path, change) => {
    expect(misread(createPayoutSession, { ...PAYOUT_SESSION, ...change }, payout)).toEqual([path])
  })

  it.each(BAD_AMOUNTS)("is refused before sending when the amount is %s", (_, amount) => {
    expect(refused(createPayoutSession, { ...payout, amount })).toEqual(["amount"])
  })

  it("is refused before sending without an account", () => {
    expect(refused(createPayoutSession, { ...payout, payoutAccountId: 0 })).toEqual([
      "payoutAccountId",
    ])
  })
})

describe("sessions/transfer", () => {
  it("writes both ends, the amount and when it ends", () => {
    expect(written(createTransferSession, { ...transfer, amount: money("7666", "RWF") })).toEqual({
      body: {
        from_wallet_id: 3,
        to_counterparty_id: 16,
        amount: 7666,
        currency: "RWF",
        expires_at: "2026-06-01T11:00:00.000Z",
      },
    })
  })

  it("reads the exact amount", () => {
    expect(read(createTransferSession, TRANSFER_SESSION, transfer)).toMatchObject({
      id: 71,
      status: "ACTIVE",
      fromWalletId: 3,
      toCounterpartyId: 16,
      amount: money("25"),
      expiresAt: "2026-06-01T11:00:00Z",
    })
  })

  it.each([
    ["id", { id: "one" }],
    ["from_wallet_id", { from_wallet_id: 4 }],
    ["to_counterparty_id", { to_counterparty_id: 17 }],
    ["amount", { amount: "25.01" }],
    ["currency", { currency: "RWF", amount: 25 }],
    ["status", { status: undefined }],
  ])("[N13][N27] is not read when %s is wrong", (path, change) => {
    expect(misread(createTransferSession, { ...TRANSFER_SESSION, ...change }, transfer)).toEqual([
      path,
    ])
  })

  it.each(BAD_AMOUNTS)("is refused before sending when the amount is %s", (_, amount) => {
    expect(refused(createTransferSession, { ...transfer, amount })).toEqual(["amount"])
  })

  it.each([
    ["fromWalletId", { fromWalletId: -3 }],
    ["toCounterpartyId", { toCounterpartyId: 1.5 }],
    ["expiresAt", { expiresAt: new Date("nonsense") }],
  ])("is refused before sending when %s is wrong", (path, change) => {
    expect(refused(createTransferSession, { ...transfer, ...change })).toEqual([path])
  })
})

describe("sessions/refund", () => {
  it("writes payment intent, amount, end and reason, and no currency", () => {
    expect(written(createRefundSession, refund)).toEqual({
      body: {
        original_payment_intent_id: 777,
        amount: 10,
        expires_at: "2026-06-01T11:00:00.000Z",
        reason: "Returned goods",
      },
    })
  })

  it("reads the amount in the currency that was asked for, when the answer names none", () => {
    expect(read(createRefundSession, REFUND_SESSION, refund)).toMatchObject({
      id: 91,
      status: "ACTIVE",
      originalPaymentIntentId: 777,
      amount: money("10"),
      reason: "Returned goods",
      expiresAt: "2026-06-01T11:00:00Z",
    })
  })

  it("reads an answer that has nothing but an id: its other fields are assumed", () => {
    const session = read(createRefundSession, { id: 91 }, refund)
    expect(session).toMatchObject({ id: 91, wire: { id: 91 } })
    expect(session.status).toBeUndefined()
    expect(session.amount).toBeUndefined()
    expect(read(createRefundSession, { id: 91, currency: "USD" }, refund).amount).toBeUndefined()
  })

  it.each([
    ["id", { id: undefined }],
    ["original_payment_intent_id", { original_payment_intent_id: 778 }],
    ["original_payment_intent_id", { original_payment_intent_id: "pi_777" }],
    ["original_payment_intent_id", { original_payment_intent_id: 77.7 }],
    ["amount", { amount: 10.01 }],
    ["amount", { amount: 0.1 }],
    ["amount", { amount: "ten" }],
    ["currency", { currency: "LRD" }],
    ["currency", { amount: null, currency: "LRD" }],
  ])("[N13][N27] is not read when %s is another than asked for", (path, change) => {
    expect(misread(createRefundSession, { ...REFUND_SESSION, ...change }, refund)).toEqual([path])
  })

  it("[B13] does not take half a franc for a whole one", () => {
    const francs = { ...refund, amount: money("7666", "RWF") }
    const answer = { ...REFUND_SESSION, amount: 7666.5, currency: "RWF" }
    expect(misread(createRefundSession, answer, francs)).toEqual(["amount"])
  })

  it.each(BAD_AMOUNTS)("is refused before sending when the amount is %s", (_, amount) => {
    expect(refused(createRefundSession, { ...refund, amount })).toEqual(["amount"])
  })

  it.each([
    ["originalPaymentIntentId", { originalPaymentIntentId: 0 }],
    ["expiresAt", { expiresAt: new Date(Number.NaN) }],
  ])("is refused before sending when %s is wrong", (path, change) => {
    expect(refused(createRefundSession, { ...refund, ...change })).toEqual([path])
  })
})
