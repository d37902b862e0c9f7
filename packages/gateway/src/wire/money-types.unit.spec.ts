/**
 * What the compiler refuses about outgoing money, and what the client refuses where no compiler
 * ran.
 */
import { bench, closeBenches } from "../../../../integration-tests/gateway/bench"
import { currency, money, PHONE, REFERENCE } from "../../../../integration-tests/gateway/calls"
import type { Gateway } from "../create-gateway"
import type { Outcome } from "../outcome"

afterEach(closeBenches)

type Wrong = (gateway: Gateway) => Promise<Outcome<unknown>>

const expiresAt = new Date("2026-06-01T11:00:00Z")
const device = {
  name: "shop-1",
  type: "SERVER",
  platform: "NODE",
  userAgent: "shop/1.0",
  clientIp: "203.0.113.7",
}
const BASE = {
  baseAmount: money("42.50"),
  targetCurrency: currency("USD"),
  paymentMethod: "CREDIT_CARD",
  provider: "CARD_PROCESSOR",
  operationType: "COLLECTION" as const,
}

const WRONG: Readonly<Record<string, Wrong>> = {
  // @ts-expect-error a payout has an amount
  "a payout of nothing": ({ sessions }) => sessions.payout({ payoutAccountId: 21 }),
  "a payout in a float": ({ sessions }) =>
    // @ts-expect-error amounts are Money
    sessions.payout({ payoutAccountId: 21, amount: 25.5 }),
  "an account as text": ({ sessions }) =>
    // @ts-expect-error text in the execution, an integer here: the client settles that
    sessions.payout({ payoutAccountId: "21", amount: money("25") }),
  "a transfer without an end": ({ sessions }) =>
    // @ts-expect-error the caller chooses when it ends
    sessions.transfer({ fromWalletId: 3, toCounterpartyId: 16, amount: money("25") }),
  "a refund of no payment": ({ sessions }) =>
    // @ts-expect-error a refund is of a payment intent
    sessions.refund({ amount: money("10"), expiresAt }),
  "an end as text": ({ sessions }) =>
    sessions.refund({
      originalPaymentIntentId: 777,
      amount: money("10"),
      // @ts-expect-error times are Date
      expiresAt: "2026-06-01T11:00:00Z",
    }),
  "a payout without passcode": ({ executions }) =>
    // @ts-expect-error a payout wants the merchant's passcode
    executions.payout({ sessionId: 61, payoutAccountId: 21, referenceId: REFERENCE }),
  "a passcode without code": ({ executions }) =>
    executions.payout({
      sessionId: 61,
      payoutAccountId: 21,
      referenceId: REFERENCE,
      // @ts-expect-error a phone alone proves nothing
      passcode: { token: { phone: PHONE }, device },
    }),
  "a passcode without device": ({ executions }) =>
    executions.payout({
      sessionId: 61,
      payoutAccountId: 21,
      referenceId: REFERENCE,
      // @ts-expect-error the gateway keeps it for audit
      passcode: { token: { code: "1" } },
    }),
  // @ts-expect-error the key of a movement of money is never made up here
  "a refund without reference": ({ executions }) => executions.refund({ sessionId: 91 }),
  "a session as text": ({ executions }) =>
    // @ts-expect-error a session is a number
    executions.transfer({ sessionId: "71", referenceId: REFERENCE }),
  "a use of an account that is none": ({ paymentAccounts }) =>
    paymentAccounts.create({
      accountName: "Ada",
      provider: "P",
      method: "M",
      partyId: 42,
      // @ts-expect-error one of the contract's
      operationType: "SALE",
    }),
  "a prediction without a bearer of the fees": ({ predictions }) =>
    // @ts-expect-error never left to chance
    predictions.amountAndFees(BASE),
  "half an owner": ({ predictions }) =>
    // @ts-expect-error both or neither
    predictions.amountAndFees({ ...BASE, feeBearer: "PAYER", ownerId: 7 }),
  "a kind of owner that is none": ({ fees }) =>
    // @ts-expect-error one of the contract's
    fees.merchantTier({ ownerType: "MERCHANT", ownerId: 7 }),
  "a merchant that is a person": ({ merchants }) =>
    // @ts-expect-error merchants are organisations
    merchants.info({ merchantId: 7, merchantType: "USER" }),
  "a key of a kind of source that is none": ({ realtimeKeys }) =>
    realtimeKeys.collection({
      sessionId: 55,
      // @ts-expect-error one of two
      sourceType: "SUBSCRIPTION",
      referenceId: REFERENCE,
    }),
}

describe("refused by the compiler, and before sending without one", () => {
  it.each(Object.entries(WRONG))("%s", async (_, call) => {
    const { server, gateway } = await bench({})
    expect(await call(gateway)).toMatchObject({
      kind: "not_sent",
      error: { code: "GATEWAY_INVALID", reason: "request" },
    })
    expect([...server.calls, ...server.tokenCalls]).toEqual([])
  })
})
