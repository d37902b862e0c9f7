/**
 * `POST /v1/executions/collection` moves money, `GET /v1/status/collection/{reference_id}` says what
 * became of it; both answer an execution (contract, 2b, 6 and 7).
 *
 * None of the documented fields is a payment intent id, though a refund needs one: it is taken from an
 * extra field if there is one (contract, 3). Fees are read the same way.
 */
import { z } from "zod"
import type { CurrencyCode, Money } from "../../core/money"
import type { Endpoint } from "../endpoint"
import { checkedBy } from "../endpoint"
import type { ExecutionStatus, Reader, Wire } from "./fields"
import {
  currencyField,
  idIn,
  messageIn,
  Misfit,
  moneyIn,
  reader,
  sameReference,
  statusField,
  textField,
  textIn,
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
  readonly payerAmount?: Money
  readonly payerCurrency?: CurrencyCode
  readonly payeeAmount?: Money
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
const answerSchema = z.object({ reference_id: textField, status: statusField })

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
      operationType: textIn(wire, "operation_type"),
      payerAmount: payer.amount,
      payerCurrency: payer.currency,
      payeeAmount: payee.amount,
      payeeCurrency: payee.currency,
      fees: {
        platform: textIn(wire, "platform_fee"),
        gateway: textIn(wire, "gateway_fee"),
        fx: textIn(wire, "fx_fee"),
      },
      providerTransactionId: textIn(wire, "provider_transaction_id"),
      gatewayMessage: messageIn(wire, "gateway_message"),
      walletMessage: messageIn(wire, "wallet_message"),
      requiresAction: wire["requires_action"] === true ? true : undefined,
      clientSecret: textIn(wire, "client_secret"),
      paymentIntentId: idIn(wire, "payment_intent_id"),
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
