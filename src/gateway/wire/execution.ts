/** What every execution and every execution status answers (contract, 2b, 3, 5 and 15). */
import { z } from "zod"
import type { CurrencyCode } from "../../core/money"
import { redact, withoutSecrets } from "../redact"
import type { OperationType } from "./enums"
import type { ExecutionStatus, Figure, Reader, Wire } from "./fields"
import {
  Misfit,
  moneyIn,
  optionalDecimal,
  optionalFlag,
  optionalText,
  plainReader,
  readLater,
  sameReference,
  statusField,
  textField,
} from "./fields"
import { otherFieldsIn, type OtherFields } from "./other-fields"
import { paymentIntentIn } from "./payment-intent"

export type Execution = {
  readonly referenceId: string
  readonly status: ExecutionStatus
  /** As the gateway wrote it; another kind than asked for is never read. */
  readonly operationType?: string
  /** Only stored and displayed: with fees and exchange it may differ from what was asked for. */
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
  /** Further fields of the answer, redacted and cut: for an admin to read, never for a decision. */
  readonly otherFields?: OtherFields
  readonly wire: Wire
}

const answerSchema = z.object({
  reference_id: textField,
  status: statusField,
  payer_amount: readLater,
  payer_currency: readLater,
  payee_amount: readLater,
  payee_currency: readLater,
  operation_type: optionalText,
  provider_transaction_id: optionalText,
  gateway_message: optionalText,
  wallet_message: optionalText,
  requires_action: optionalFlag,
  client_secret: optionalText,
  // Outside the contract, and read if present, as the payment intent is (contract, 3).
  platform_fee: optionalDecimal,
  gateway_fee: optionalDecimal,
  fx_fee: optionalDecimal,
})

const NAMED = new Set(Object.keys(answerSchema.shape))

/**
 * Reads executions of one kind. An answer of another kind is another movement of money under the
 * same reference, so it says nothing about the one asked for.
 *
 * @param secretsIn secrets of the request that the gateway's messages may repeat
 */
export function executionReader<Request extends { readonly referenceId: string }>(
  operationType: OperationType,
  secretsIn: (request: Request) => readonly string[] = () => [],
): Reader<Request, Execution> {
  return plainReader(answerSchema, (fields, wire, request) => {
    if (!sameReference(fields.reference_id, request.referenceId)) {
      return new Misfit("reference_id", "another reference than asked for")
    }
    if (fields.operation_type !== undefined && fields.operation_type !== operationType) {
      return new Misfit("operation_type", "another kind of execution than asked for")
    }
    const payer = moneyIn(wire, "payer_amount", "payer_currency")
    if (payer instanceof Misfit) return payer
    const payee = moneyIn(wire, "payee_amount", "payee_currency")
    if (payee instanceof Misfit) return payee
    const secrets = secretsIn(request)
    const safe = (text: string | undefined) => text && redact(withoutSecrets(text, secrets))
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
      gatewayMessage: safe(fields.gateway_message),
      walletMessage: safe(fields.wallet_message),
      requiresAction: fields.requires_action === true ? true : undefined,
      clientSecret: fields.client_secret,
      paymentIntentId: paymentIntentIn(wire),
      otherFields: otherFieldsIn(wire, NAMED, [...secrets, ...ownSecret(fields.client_secret)]),
      wire,
    }
  })
}

/** The client secret, which another field may repeat. Only plain text can be searched for. */
function ownSecret(secret: string | undefined): readonly string[] {
  return secret !== undefined && /^[\x21-\x7e]+$/.test(secret) ? [secret] : []
}
