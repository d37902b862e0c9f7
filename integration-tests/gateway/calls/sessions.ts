/** Calls of `gateway.sessions`. */
import { money, TIMES } from "./call-case"
import type { CallCase } from "./call-case"

export const SESSION = {
  id: 55,
  source_id: 301,
  source_type: "ORDER",
  status: "ACTIVE",
  expires_at: "2026-06-01T10:30:00Z",
  payment_account_id: null,
  ...TIMES,
}

export const PAYOUT_SESSION = {
  id: 61,
  wallet_id: 3,
  payout_account_id: 21,
  amount: 25,
  currency: "USD",
  status: "ACTIVE",
  expires_at: "2026-06-01T10:30:00Z",
  ...TIMES,
}
export const TRANSFER_SESSION = {
  id: 71,
  from_wallet_id: 3,
  to_counterparty_id: 16,
  amount: 25,
  currency: "USD",
  status: "ACTIVE",
  expires_at: "2026-06-01T11:00:00Z",
  ...TIMES,
}
export const REFUND_SESSION = {
  id: 91,
  original_payment_intent_id: 777,
  amount: 10,
  currency: null,
  status: "ACTIVE",
  reason: "Returned goods",
  expires_at: "2026-06-01T11:00:00Z",
  ...TIMES,
}

const EXPIRES_AT = new Date("2026-06-01T11:00:00Z")

export const SESSION_CALLS: readonly CallCase[] = [
  {
    operation: "sessions.checkout",
    body: SESSION,
    run: (gateway, options) =>
      gateway.sessions.checkout({ sourceType: "ORDER", sourceId: 301 }, options),
  },
  {
    operation: "sessions.payout",
    body: PAYOUT_SESSION,
    run: (gateway, options) =>
      gateway.sessions.payout({ payoutAccountId: 21, amount: money("25") }, options),
  },
  {
    operation: "sessions.transfer",
    body: TRANSFER_SESSION,
    run: (gateway, options) =>
      gateway.sessions.transfer(
        { fromWalletId: 3, toCounterpartyId: 16, amount: money("25"), expiresAt: EXPIRES_AT },
        options,
      ),
  },
  {
    operation: "sessions.refund",
    body: REFUND_SESSION,
    run: (gateway, options) =>
      gateway.sessions.refund(
        {
          originalPaymentIntentId: 777,
          amount: money("10"),
          expiresAt: EXPIRES_AT,
          reason: "Returned goods",
        },
        options,
      ),
  },
]
