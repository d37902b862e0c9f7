/** Calls of `gateway.executions`. */
import { currency, REFERENCE } from "./call-case"
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
]
