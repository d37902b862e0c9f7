/**
 * What an execution answer adds to the ledger. Amounts and fees are stored and shown; nothing is
 * decided by them, but for a refund's, which are held against what was asked for
 * (`moved-amounts.ts`). Only what is new is written, so that an unchanged answer is not an event.
 */
import { majorText } from "../core/money"
import { hasEnded, type Event, type Operation } from "../core/operation"
import type { Execution } from "../gateway"
import type { Changes } from "../ledger/advance-operation"

export function executionChanges(operation: Operation, execution: Execution): Changes {
  const isFinal = execution.status === "COMPLETED" || execution.status === "FAILED"
  const payerAmount = execution.payerAmount && majorText(execution.payerAmount)
  const isNewAmount =
    payerAmount !== undefined && Number(payerAmount) !== Number(operation.payerAmount)
  const paymentIntentId = intentOf(operation, execution)
  if (!isFinal && !isNewAmount && paymentIntentId === undefined) return {}
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
    ...(paymentIntentId === undefined ? {} : { paymentIntentId }),
  }
}

/**
 * For the event that an answer becomes: its unknown fields, in which an admin may find an id. Not
 * of payouts, whose answers could repeat a passcode; and not at each check of the watch after an
 * end, but when something comes of it.
 */
export function otherFacts(
  operation: Operation,
  execution: Execution | undefined,
  event?: Event,
): object {
  if (!execution?.otherFields || (hasEnded(operation) && event === undefined)) return {}
  return { other_fields: execution.otherFields }
}

/**
 * Not where one is known, perhaps typed by an admin; nor an id that is something else here; nor of
 * an execution that failed, which took no money: its document may still be paid on its page.
 */
function intentOf(
  operation: Operation,
  { paymentIntentId, status }: Execution,
): number | undefined {
  const { gatewaySessionId, sourceId, paymentAccountId, partyId } = operation
  const isKnown = operation.paymentIntentId !== null
  const isOther = [gatewaySessionId, sourceId, paymentAccountId, partyId].some(
    (id) => id === paymentIntentId,
  )
  return isKnown || isOther || status === "FAILED" ? undefined : paymentIntentId
}
