/**
 * An operation as the ledger would read it, for tests of the core: a push of 19.99 USD that went
 * out at noon and is read ten seconds later. Every test names only what it is about.
 */
import { parseCurrency, type CurrencyCode, type Money } from "../../src/core/money"
import type { MedusaOperation, MoneyOut } from "../../src/core/operation"

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** When the operation's money call went out. */
export const NOON = new Date("2026-11-20T12:00:00.000Z")

/** A moment so long after noon; negative: before. */
export function afterNoon(ms: number): Date {
  return new Date(NOON.getTime() + ms)
}

export function currency(code: string): CurrencyCode {
  const parsed = parseCurrency(code)
  if (!parsed) throw new Error(`${code} is no currency`)
  return parsed
}

/** Money in smallest units. */
export function money(minor: number | bigint, code = "USD"): Money {
  return { minor: BigInt(minor), currency: currency(code) }
}

export function anOperation(given: Partial<MedusaOperation> = {}): MedusaOperation {
  return {
    id: "mpop_1",
    type: "COLLECTION",
    state: "submitted",
    isDuplicate: false,
    flow: "push",
    accountId: "mpacc_env",
    credentialId: null,
    providerId: "pp_mobile-money_merchant",
    paymentCollectionId: "pay_col_1",
    paymentSessionId: "payses_1",
    cartId: "cart_1",
    orderId: null,
    amount: money(1_999),
    collected: null,
    reservedRefundMinor: 0n,
    refundedMinor: 0n,
    parentId: null,
    medusaRefundId: null,
    medusaAmount: null,
    askedBy: null,
    paymentIntentId: null,
    lines: [{ name: "T-shirt", quantity: 1, amount: money(1_999) }],
    sourceType: "ORDER",
    feeBearer: null,
    sourceId: 30_001,
    sourceNumber: "ORD-2026-30001",
    sourceStatus: "ACTIVE",
    partyId: 1_001,
    gatewaySessionId: 60_001,
    paymentAccountId: 70_001,
    paymentMethod: "OPERATOR1_MOMO_LBR",
    carrier: "Operator 1",
    payerCurrency: currency("USD"),
    payerAmount: null,
    quotedPayerAmount: null,
    payeeAmount: null,
    payeeCurrency: null,
    fees: null,
    exchangeRate: null,
    exchangeFrom: null,
    exchangeTo: null,
    draftReference: "3f1e2b8a-4c5d-4e6f-8a9b-0c1d2e3f4a5b",
    reference: "3f1e2b8a-4c5d-4e6f-8a9b-0c1d2e3f4a5b",
    cardSecret: null,
    hostedUrl: null,
    returnToken: null,
    successUrl: null,
    cancelUrl: null,
    phoneHint: "456",
    isPayerUnknown: false,
    expiresAt: afterNoon(30 * MINUTE),
    windowEndsAt: null,
    windowDoneAt: null,
    reason: null,
    waiting: true,
    waitingAt: NOON,
    sendings: 1,
    lastSentAt: NOON,
    lastSending: "accepted",
    absentAt: null,
    failedAt: null,
    contradictedAt: null,
    paidOtherwiseAt: null,
    takenBackAt: null,
    closing: null,
    settleAttempts: 0,
    checks: 3,
    checkedAt: null,
    nextCheckAt: null,
    leaseToken: null,
    leaseUntil: null,
    moneyAt: null,
    recordedAt: null,
    returnedAt: null,
    answeredAt: null,
    undoneAt: null,
    traceParent: null,
    version: 3,
    createdAt: afterNoon(-2 * SECOND),
    submittedAt: NOON,
    readAt: afterNoon(10 * SECOND),
    ...given,
  }
}

/** The same on the gateway's page: no reference, an address. */
export function aHostedOperation(given: Partial<MedusaOperation> = {}): MedusaOperation {
  return anOperation({
    flow: "hosted",
    providerId: "pp_hosted-checkout_merchant",
    reference: null,
    gatewaySessionId: null,
    paymentAccountId: null,
    paymentMethod: null,
    carrier: null,
    payerCurrency: null,
    hostedUrl: "https://pay.example/pay/abc",
    returnToken: "token",
    sendings: 0,
    lastSentAt: null,
    lastSending: null,
    expiresAt: afterNoon(HOUR),
    ...given,
  })
}

/**
 * A refund of the whole of it, asked for at noon, whose session ends a quarter of an hour later.
 */
export function aRefund(given: Partial<MedusaOperation> = {}): MedusaOperation {
  return anOperation({
    id: "mpop_2",
    type: "REFUND",
    parentId: "mpop_1",
    medusaAmount: "19.99",
    askedBy: "medusa",
    lines: [],
    sourceId: null,
    sourceNumber: null,
    sourceStatus: null,
    partyId: null,
    paymentAccountId: null,
    paymentMethod: null,
    carrier: null,
    payerCurrency: null,
    phoneHint: null,
    waiting: false,
    waitingAt: null,
    expiresAt: afterNoon(15 * MINUTE),
    ...given,
  })
}

/** A payout of as much, sent at noon: it has no source, and nothing of it is in Medusa. */
export function aPayout(given: Partial<MoneyOut> = {}): MoneyOut {
  return {
    ...anOperation({
      lines: [],
      sourceId: null,
      sourceNumber: null,
      sourceStatus: null,
      partyId: null,
    }),
    type: "PAYOUT",
    providerId: null,
    paymentCollectionId: null,
    paymentSessionId: null,
    cartId: null,
    orderId: null,
    ...given,
  }
}
