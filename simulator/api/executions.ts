/**
 * Executions and their status: one answer form for both (`ExecutionResponse`). What an execution
 * reads like is looked up in its timeline at the time of asking.
 */
import type { Execution, OperationType } from "../book/records"
import { wireAmount } from "../money"
import { notFound } from "../problem"
import { executeCollection as execute, type CollectionRequest } from "../rules/collections"
import { stepAt } from "../rules/timeline"
import type { World } from "../world"
import { CutAnswer, operation } from "./operation"

export const executeCollection = operation<CollectionRequest>(
  "executeCollection",
  ({ world, ownerId, body }) => {
    const { execution, cutsAnswer } = execute(world, ownerId, body)
    const answer = executionAnswer(world, execution)
    return cutsAnswer ? new CutAnswer(answer) : answer
  },
)

type ByReference = { reference_id: string }

const statusOf = (id: string, type: OperationType) =>
  operation<undefined, object, ByReference>(id, ({ world, ownerId, params }) => {
    const execution = world.book.executions.get(params.reference_id)
    // A payment on the hosted page has a reference too, but the merchant never learns it.
    const isTheirs =
      execution?.ownerId === ownerId &&
      execution.operationType === type &&
      execution.channel === "api"
    if (!execution || !isTheirs) throw notFound("Execution")
    return executionAnswer(world, execution)
  })

export const getCollectionStatus = statusOf("getCollectionStatus", "COLLECTION")

function executionAnswer(world: World, execution: Execution) {
  const { status, message } = stepAt(execution.steps, world.time.nowMs())
  const { payerMinor, payerCurrency, payeeMinor, payeeCurrency } = execution
  return {
    reference_id: execution.reference,
    status,
    payer_amount: wireAmount({ minor: payerMinor, currency: payerCurrency }),
    payer_currency: payerCurrency,
    payee_currency: payeeCurrency,
    payee_amount: wireAmount({ minor: payeeMinor, currency: payeeCurrency }),
    operation_type: execution.operationType,
    provider_transaction_id: status === "PENDING" ? null : execution.providerTransactionId,
    gateway_message: message,
    wallet_message: null,
    client_secret: null,
    requires_action: null,
    ...(world.settings.showsPaymentIntent ? { payment_intent_id: execution.paymentIntentId } : {}),
  }
}
