/**
 * `predictions/mmo-provider-info` and `card-provider-info`: whose wallet a phone number is, and
 * where a card is routed (contract, 2b, 2c and 9).
 */
import { z } from "zod"
import type { Call, Method } from "../call"
import type { CurrencyCode } from "../../core/money"
import { parseCurrency } from "../../core/money"
import { inQuery, type Endpoint } from "../endpoint"
import type {
  AmountAndFees,
  AmountAndFeesRequest,
  SourceAmountAndFeesRequest,
} from "./amount-predictions"
import { amountAndFees, sourceAmountAndFees } from "./amount-predictions"
import type { OperationType, PaymentMethod, Provider } from "./enums"
import { ENUMS } from "./enums"
import type { Wire } from "./fields"
import { addressTextField, fromWire, optionalText, phoneField, reader, textField } from "./fields"

export type MmoProviderInfoRequest = {
  /** Digits of E.164 without a plus. */
  readonly phone: string
  /** What the wallet is to be used for. Default `COLLECTION`. */
  readonly operationType?: OperationType | undefined
}

export type MmoProviderInfo = {
  /** Send it and the provider back unchanged, as those of the payment account. */
  readonly paymentMethod: PaymentMethod
  readonly provider: Provider
  /** The operator's name for display. */
  readonly carrier?: string
  /** In a format that no source documents; not a country code. */
  readonly country?: string
  /** The currencies that the operator can be paid in. */
  readonly currencies: readonly CurrencyCode[]
  readonly phone?: string
  readonly operationType?: string
  readonly wire: Wire
}

export type CardProviderInfoRequest = {
  /** The token that the card processor's browser SDK made of the card. No error repeats it. */
  readonly paymentMethodId: string
  /** What the card is to be used for. Default `COLLECTION`. */
  readonly operationType?: OperationType | undefined
  /** The card processor's wire name. Sent only if given; the public examples send it. */
  readonly provider?: Provider | undefined
}

/** Partly assumed: the public pages name these fields, but show no answer. */
export type CardProviderInfo = {
  /** Send it and the provider back unchanged, as those of the payment account. */
  readonly paymentMethod: PaymentMethod
  readonly provider: Provider
  readonly brand?: string
  /** In a format that no source documents; not a country code. */
  readonly country?: string
  /** The currencies that the card can be charged in; empty if the answer does not say. */
  readonly currencies: readonly CurrencyCode[]
  readonly operationType?: string
  readonly wire: Wire
}

const operationType = z.enum(ENUMS.OperationType).default("COLLECTION")
const mmoAnswerSchema = z.object({
  payment_method: textField,
  gateway_provider: textField,
  currencies: z.array(z.unknown()),
  carrier: optionalText,
  country: optionalText,
  phone: optionalText,
  operation_type: optionalText,
})
const cardAnswerSchema = z.object({
  payment_method: textField,
  gateway_provider: textField,
  currencies: fromWire,
  brand: optionalText,
  country: optionalText,
  operation_type: optionalText,
})

export const mmoProviderInfo: Endpoint<MmoProviderInfoRequest, MmoProviderInfo> = {
  operation: "predictions.mmoProviderInfo",
  write: inQuery(z.object({ phone: phoneField, operationType })),
  read: reader(mmoAnswerSchema, ({ gatewayProvider: provider, ...fields }, wire) => ({
    ...fields,
    provider,
    currencies: currenciesIn(fields.currencies),
    wire,
  })),
}

export const cardProviderInfo: Endpoint<CardProviderInfoRequest, CardProviderInfo> = {
  operation: "predictions.cardProviderInfo",
  write: inQuery(
    z.object({
      paymentMethodId: addressTextField,
      operationType,
      provider: addressTextField.optional(),
    }),
  ),
  read: reader(cardAnswerSchema, ({ gatewayProvider: provider, ...fields }, wire) => ({
    ...fields,
    provider,
    currencies: currenciesIn(wire["currencies"]),
    wire,
  })),
  secretsIn: ({ paymentMethodId }) => [paymentMethodId],
}

/** Keeps only the values that are currencies. */
function currenciesIn(values: unknown): readonly CurrencyCode[] {
  return Array.isArray(values) ? values.flatMap((text) => parseCurrency(text) ?? []) : []
}

/** What would happen, before it does. Not binding: the receipt shows what settled (contract, 9). */
export type Predictions = {
  /**
   * What a payment of an amount would cost payer and payee, exchange included. `refused` with
   * `Invalid`: method and provider do not fit, or the pair of currencies has no rate (contract, 8
   * and 9).
   */
  readonly amountAndFees: Method<AmountAndFeesRequest, AmountAndFees>
  /**
   * The same for a published source: its total, currency and fee bearer are the base (contract, 2b,
   * 8 and 9).
   */
  readonly sourceAmountAndFees: Method<SourceAmountAndFeesRequest, AmountAndFees>
  /**
   * Whose wallet a phone number is. `refused` with `Invalid`: no operator serves it (specification,
   * "Predict mobile money provider"; contract, 2b and 9).
   */
  readonly mmoProviderInfo: Method<MmoProviderInfoRequest, MmoProviderInfo>
  /**
   * Where a card is routed, by the token of the card processor's browser SDK. The token is in no
   * error, but in the address of the request: keep it out of the logs of your own proxies
   * (contract, 2c, 9).
   */
  readonly cardProviderInfo: Method<CardProviderInfoRequest, CardProviderInfo>
}

export const predictionsOf = (call: Call): Predictions => ({
  amountAndFees: (request, options) => call(amountAndFees, request, options),
  sourceAmountAndFees: (request, options) => call(sourceAmountAndFees, request, options),
  mmoProviderInfo: (request, options) => call(mmoProviderInfo, request, options),
  cardProviderInfo: (request, options) => call(cardProviderInfo, request, options),
})
