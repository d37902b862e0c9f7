/** Calls of `gateway.executions`. */
import { currency, PHONE, REFERENCE } from "./call-case"
import type { CallCase } from "./call-case"

export const EXECUTION = {
  reference_id: REFERENCE,
  status: "PROCESSING",
  payer_amount: 43.1,
  payer_currency: "USD",
  payee_amount: 42.5,
  payee_currency: "USD",
  operation_type: "COLLECTION",
  provider_transaction_id: null,
  gateway_message: null,
  wallet_message: null,
  client_secret: null,
  requires_action: null,
}

export const PAYOUT_EXECUTION = { ...EXECUTION, operation_type: "PAYOUT" }
export const TRANSFER_EXECUTION = { ...EXECUTION, operation_type: "TRANSFER" }
export const REFUND_EXECUTION = { ...EXECUTION, operation_type: "REFUND" }

/** No error, log line or message may repeat it. */
export const PASSCODE = "48-CANARY-15"

export const EXECUTION_CALLS: readonly CallCase[] = [
  {
    operation: "executions.collection",
    body: EXECUTION,
    run: (gateway, options) =>
      gateway.executions.collection(
        {
          sessionId: 55,
          paymentAccountId: 18,
          currency: currency("USD"),
          referenceId: REFERENCE,
        },
        options,
      ),
  },
  {
    operation: "executions.payout",
    body: PAYOUT_EXECUTION,
    run: (gateway, options) =>
      gateway.executions.payout(
        {
          sessionId: 61,
          payoutAccountId: 21,
          referenceId: REFERENCE,
          passcode: {
            token: { code: PASSCODE, phone: PHONE },
            device: {
              name: "shop-1",
              type: "SERVER",
              platform: "NODE",
              userAgent: "shop/1.0",
              clientIp: "203.0.113.7",
            },
          },
        },
        options,
      ),
  },
  {
    operation: "executions.transfer",
    body: TRANSFER_EXECUTION,
    run: (gateway, options) =>
      gateway.executions.transfer({ sessionId: 71, referenceId: REFERENCE }, options),
  },
  {
    operation: "executions.refund",
    body: REFUND_EXECUTION,
    run: (gateway, options) =>
      gateway.executions.refund({ sessionId: 91, referenceId: REFERENCE }, options),
  },
]
