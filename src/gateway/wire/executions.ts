/**
 * `POST /v1/executions/collection` moves money, `GET /v1/status/collection/{reference_id}` says what
 * became of it; both answer an execution (contract, 2b, 6 and 7).
 *
 * None of the documented fields is a payment intent id, though a refund needs one: it is taken from an
 * extra field if there is one (contract, 3). Fees are read the same way.
 */
import { z } from "zod"
import type { CurrencyCode } from "../../core/money"
import type { Endpoint } from "../endpoint"
import { checkedBy } from "../endpoint"
import type { ExecutionStatus, Figure, Reader, Wire } from "./fields"
import {
  currencyField,
  Misfit,
  moneyIn,
  optionalFlag,
  optionalId,
  optionalMessage,
  optionalText,
  reader,
  readLater,
  sameReference,
  statusField,
  textField,
  uuidField,
} from "./fields"

export type ExecuteCollectionRequest = {
  /** The gateway session; written as text on the wire. */
  readonly sessionId: number
  /** Written as text on the wire. */
  readonly paymentAccountId: number
  /** What the payer pays in, which is not always the source's currency. */
  readonly currency: CurrencyCode
  /** UUID v4, the idempotency key. Stored before the call, never used for another payment. */
  readonly referenceId: string
}

export type Execution = {
  readonly referenceId: string
  readonly status: ExecutionStatus
  readonly operationType?: string
  /** Stored and shown, never compared: fees and exchange are in it. */
  readonly payerAmount?: Figure
  readonly payerCurrency?: CurrencyCode
  readonly payeeAmount?: Figure
  readonly payeeCurrency?: CurrencyCode
  /** Decimal texts in major units, only where the answer carries them. */
  readonly fees: { readonly platform?: string; readonly gateway?: string; readonly fx?: string }
  readonly providerTransactionId?: string
  readonly gatewayMessage?: string
  readonly walletMessage?: string
  /** Card: the shopper must authenticate, with `clientSecret`. */
  readonly requiresAction?: boolean
  /** Card: for the shopper's browser only. A secret. */
  readonly clientSecret?: string
  readonly paymentIntentId?: number
  readonly wire: Wire
}

const executeSchema = z.object({
  sessionId: z.int().positive(),
  paymentAccountId: z.int().positive(),
  currency: currencyField,
  referenceId: uuidField,
})
const statusSchema = z.object({ referenceId: uuidField })
const answerSchema = z.object({
  reference_id: textField,
  status: statusField,
  payer_amount: readLater,
  payer_currency: readLater,
  payee_amount: readLater,
  payee_currency: readLater,
  operation_type: optionalText,
  provider_transaction_id: optionalText,
  gateway_message: optionalMessage,
  wallet_message: optionalMessage,
  requires_action: optionalFlag,
  client_secret: optionalText,
  platform_fee: optionalText,
  gateway_fee: optionalText,
  fx_fee: optionalText,
  payment_intent_id: optionalId,
})

/** Fields that the contract does not have, read where they are there (contract, 3). */
export const UNDOCUMENTED_EXECUTION_FIELDS = [
  "platform_fee",
  "gateway_fee",
  "fx_fee",
  "payment_intent_id",
] as const

const readExecution: Reader<{ readonly referenceId: string }, Execution> = reader(
  answerSchema,
  (fields, wire, request) => {
    if (!sameReference(fields.reference_id, request.referenceId)) {
      return new Misfit("reference_id", "another reference than asked for")
    }
    const payer = moneyIn(wire, "payer_amount", "payer_currency")
    if (payer instanceof Misfit) return payer
    const payee = moneyIn(wire, "payee_amount", "payee_currency")
    if (payee instanceof Misfit) return payee
    return {
      referenceId: request.referenceId,
      status: fields.status,
      operationType: fields.operation_type,
      payerAmount: payer.amount,
      payerCurrency: payer.currency,
      payeeAmount: payee.amount,
      payeeCurrency: payee.currency,
      fees: { platform: fields.platform_fee, gateway: fields.gateway_fee, fx: fields.fx_fee },
      providerTransactionId: fields.provider_transaction_id,
      gatewayMessage: fields.gateway_message,
      walletMessage: fields.wallet_message,
      requiresAction: fields.requires_action === true ? true : undefined,
      clientSecret: fields.client_secret,
      paymentIntentId: fields.payment_intent_id,
      wire,
    }
  },
)

export const executeCollection: Endpoint<ExecuteCollectionRequest, Execution> = {
  operation: "executions.collection",
  problemsWith: checkedBy(executeSchema),
  write: (request) => ({
    body: {
      session_id: String(request.sessionId),
      payment_account_id: String(request.paymentAccountId),
      currency: request.currency,
      reference_id: request.referenceId,
    },
  }),
  read: readExecution,
  referenceOf: (request) => request.referenceId,
}

export const collectionStatus: Endpoint<{ readonly referenceId: string }, Execution> = {
  operation: "status.collection",
  problemsWith: checkedBy(statusSchema),
  write: ({ referenceId }) => ({ params: { reference_id: referenceId } }),
  read: readExecution,
  referenceOf: (request) => request.referenceId,
}
