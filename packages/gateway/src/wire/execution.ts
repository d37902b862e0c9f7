/** The answer of every execution and every execution status (contract, 2b, 3, 5 and 15). */
import { z } from "zod"
import type { CurrencyCode } from "../terms/money"
import type { CleanText, DecimalText, ExactText, PrivateText, StateWord } from "../terms/texts"
import { executionStateOf } from "../terms/state-words"
import type { Given, PaymentIntentId, Reference } from "../terms/ids"
import { redact, stateWord, withoutSecrets } from "../redact"
import { ENUMS, type OperationType } from "./enums"
import * as field from "./fields"
import type { ExecutionStatus, Figure, Reader, Wire } from "./reading"
import { sideIn } from "./figures"
import { isAbsent } from "./forms"
import { UnusableField, otherThanRepeated, plainReader } from "./reading"
import { otherFieldsIn, type OtherFields } from "./other-fields"
import { paymentIntentIn } from "./payment-intent"
import { expectState } from "./unusual"

export type Execution = {
  readonly referenceId: Given<Reference>
  /** The contract's word, if the gateway's word is known; else as the gateway wrote it. */
  readonly status: ExecutionStatus
  /** The gateway's own word, present only if `status` differs from it. */
  readonly statusSaid?: StateWord
  /** The kind of money, as the gateway wrote it. An answer of a wrong kind is not used. */
  readonly operationType?: StateWord
  /** Only stored and displayed: fees and exchange may make it differ from the requested amount. */
  readonly payerAmount?: Figure
  readonly payerCurrency?: CurrencyCode
  readonly payeeAmount?: Figure
  readonly payeeCurrency?: CurrencyCode
  /** Decimal texts in major units, only where the answer carries them. */
  readonly fees: {
    readonly platform?: DecimalText
    readonly gateway?: DecimalText
    readonly fx?: DecimalText
  }
  readonly providerTransactionId?: ExactText
  readonly gatewayMessage?: CleanText
  readonly walletMessage?: CleanText
  /** For a card: the shopper must authenticate the payment with `clientSecret`. */
  readonly requiresAction?: boolean
  /** For a card: a secret for the shopper's browser only. */
  readonly clientSecret?: PrivateText
  readonly paymentIntentId?: PaymentIntentId
  /** Further fields of the answer, redacted and cut: for an admin to read, never for a decision. */
  readonly otherFields?: OtherFields
  readonly wire: Wire
}

const answerSchema = z.object({
  reference_id: field.optionalExact,
  status: field.stateWord,
  payer_amount: field.readLater,
  payer_currency: field.readLater,
  payee_amount: field.readLater,
  payee_currency: field.readLater,
  operation_type: field.optionalWord(ENUMS.OperationType),
  provider_transaction_id: field.optionalExact,
  gateway_message: field.optionalPrivate,
  wallet_message: field.optionalPrivate,
  requires_action: field.optionalFlag,
  client_secret: field.optionalPrivate,
  // Not in the contract. Read if present, like the payment intent (contract, 3).
  platform_fee: field.optionalDecimal,
  gateway_fee: field.optionalDecimal,
  fx_fee: field.optionalDecimal,
})

/** The states of an execution that the contract shows (contract, 5). */
const STATES = ["PENDING", "PROCESSING", "COMPLETED", "FAILED"]

const NAMED = new Set(Object.keys(answerSchema.shape))

/**
 * Reads executions of one kind. An answer of another kind is another movement of money under the
 * same reference, so it says nothing about the requested one. An amount that can't be read, or has
 * no readable currency, is noted and stays in `wire`: the source says what was taken.
 *
 * @param secretsIn secrets of the request that the gateway's messages may repeat
 */
export function executionReader<Request extends { readonly referenceId: string }>(
  operationType: OperationType,
  secretsIn: (request: Request) => readonly string[],
): Reader<Request, Execution> {
  const stateOf = (word: string) => executionStateOf(word, operationType)
  const expected = expectState(STATES, stateOf)
  return plainReader(answerSchema, (fields, wire, request, context) => {
    const unusual = expected(fields.status, "status", context)
    if (unusual !== undefined) context.note?.("status", unusual)
    const other = otherThanRepeated(wire, { reference_id: request.referenceId }, context)
    if (other) return other
    if (fields.operation_type !== undefined && fields.operation_type !== operationType) {
      return new UnusableField("operation_type", "another kind of execution than asked for")
    }
    for (const side of ["payer", "payee"]) {
      const isUnnamed = isAbsent(wire[`${side}_currency`]) && !isAbsent(wire[`${side}_amount`])
      if (isUnnamed) context.note?.(`${side}_currency`, "missing")
    }
    const payer = sideIn(wire, "payer_amount", "payer_currency")
    const payee = sideIn(wire, "payee_amount", "payee_currency")
    const secrets = secretsIn(request)
    const statusSaid = stateWord(fields.status)
    const status = stateWord(stateOf(fields.status) ?? fields.status)
    const safe = (text: string | undefined) =>
      text === undefined ? undefined : redact(withoutSecrets(text, secrets))
    return {
      referenceId: request.referenceId,
      status,
      statusSaid: statusSaid === status ? undefined : statusSaid,
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

/**
 * The client secret as a list, to mask it in other fields that repeat it. Only a secret of visible
 * ASCII is searched for.
 */
function ownSecret(secret: string | undefined): readonly string[] {
  return secret !== undefined && /^[\x21-\x7e]+$/.test(secret) ? [secret] : []
}
