/**
 * Executions and their status share one answer form (`ExecutionResponse`). Each reading looks up
 * the status in the execution's timeline.
 */
import type { OperationType } from "../book/records"
import { wireAmount } from "../money"
import { isChallenged } from "../rules/cards"
import { executeCollection as collect, type CollectionRequest } from "../rules/collections"
import { ownExecution, type AnyExecution, type Executed } from "../rules/executions"
import { executePayout as payOut, type PayoutRequest } from "../rules/payouts"
import { executeRefund as refund, type RefundRequest } from "../rules/refunds"
import { MONEY_OUT_TEXTS, stepAt } from "../rules/timeline"
import { executeTransfer as transfer, type TransferRequest } from "../rules/transfers"
import type { World } from "../world"
import { CutResponse, operation, type Operation } from "./operation"

const execution = <Request>(
  id: string,
  execute: (world: World, ownerId: number, request: Request) => Executed<AnyExecution>,
) =>
  operation<Request>(id, ({ world, ownerId, body }) => {
    const { execution: executed, cutsAnswer } = execute(world, ownerId, body)
    const answer = { ...executionAnswer(world, executed), ...actionIn(world, executed) }
    return cutsAnswer ? new CutResponse(answer) : answer
  })

type ByReference = { reference_id: string }

const statusOf = (id: string, type: OperationType) =>
  operation<undefined, object, ByReference>(id, ({ world, ownerId, params }) =>
    executionAnswer(world, ownExecution(world, ownerId, type, params.reference_id)),
  )

/** The four executions and their status reads. */
export const executionOperations: readonly Operation[] = [
  execution<CollectionRequest>("executeCollection", collect),
  execution<PayoutRequest>("executePayout", payOut),
  execution<TransferRequest>("executeTransfer", transfer),
  execution<RefundRequest>("executeRefund", refund),
  statusOf("getCollectionStatus", "COLLECTION"),
  statusOf("getPayoutStatus", "PAYOUT"),
  statusOf("getTransferStatus", "TRANSFER"),
  statusOf("getRefundStatus", "REFUND"),
]

function executionAnswer(world: World, executed: AnyExecution) {
  const { status, message } = stepAt(executed.steps, world.time.nowMs())
  const { payerMinor, payerCurrency, payeeMinor, payeeCurrency } = executed
  const isWalletText = message === MONEY_OUT_TEXTS.notEnough
  return {
    reference_id: executed.reference,
    status,
    payer_amount: wireAmount({ minor: payerMinor, currency: payerCurrency }),
    payer_currency: payerCurrency,
    payee_currency: payeeCurrency,
    payee_amount: wireAmount({ minor: payeeMinor, currency: payeeCurrency }),
    operation_type: executed.operationType,
    provider_transaction_id: status === "PENDING" ? null : executed.providerTransactionId,
    gateway_message: isWalletText ? null : message,
    wallet_message: isWalletText ? message : null,
    client_secret: null,
    requires_action: null,
    ...intentIn(world, executed.paymentIntentId),
  }
}

/** Of the execution's own answer alone: a status read does not show it. */
function actionIn(world: World, executed: AnyExecution): object {
  if (executed.operationType !== "COLLECTION" || !isChallenged(world, executed)) return {}
  return { client_secret: executed.challenge?.secret ?? null, requires_action: true }
}

function intentIn({ settings }: World, id: number): object {
  switch (settings.showsPaymentIntent) {
    case true:
      return { payment_intent_id: id }
    case false:
      return {}
    case "NESTED":
      return { payment_intent: { id: String(id), kind: "COLLECTION" } }
    case "TWO_NAMES":
      return { payment_intent_id: id, checkout_payment_intent_id: id + 1 }
  }
}
