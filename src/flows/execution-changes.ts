/**
 * What an execution answer adds to the ledger: amounts and fees are stored and shown, never compared.
 * Only what is new is written, so that an unchanged answer is not an event.
 */
import { majorText } from "../core/money"
import type { Operation } from "../core/operation"
import type { Execution } from "../gateway"
import type { Changes } from "../ledger/advance-operation"

export function executionChanges(operation: Operation, execution: Execution): Changes {
  const isFinal = execution.status === "COMPLETED" || execution.status === "FAILED"
  const payerAmount = execution.payerAmount && majorText(execution.payerAmount)
  const isNewAmount =
    payerAmount !== undefined && Number(payerAmount) !== Number(operation.payerAmount)
  if (!isFinal && !isNewAmount) return {}
  const { gatewayMessage, walletMessage, fees } = execution
  return {
    ...(isNewAmount ? { payerAmount } : {}),
    ...(isFinal && execution.payeeAmount
      ? {
          payeeAmount: majorText(execution.payeeAmount),
          payeeCurrency: execution.payeeAmount.currency,
        }
      : {}),
    ...(isFinal && (fees.platform || fees.gateway || fees.fx) ? { fees } : {}),
    ...(isFinal && (gatewayMessage || walletMessage)
      ? { messages: { gateway: gatewayMessage ?? null, wallet: walletMessage ?? null } }
      : {}),
    ...(isFinal && execution.providerTransactionId
      ? { providerTransactionId: execution.providerTransactionId }
      : {}),
    ...(execution.paymentIntentId ? { paymentIntentId: execution.paymentIntentId } : {}),
  }
}
