/**
 * `predictions/…`: what a payment would cost payer and payee, whose wallet a phone number is, and
 * where a card is routed (contract, 2b, 2c, 8 and 9).
 */
import { z } from "zod"
import type { Given, MerchantId, SourceId } from "../terms/ids"
import { majorText, type CurrencyCode } from "../terms/money"
import { methodOf, type Call } from "../call"
import { inQuery, writer, type Endpoint } from "../endpoint"
import { currencyField, moneyOf, payableField, type Amount, type Currency } from "./amounts"
import type { CleanText, ExactText, PrivateText, StateWord } from "../terms/texts"
import { ENUMS } from "./enums"
import type {
  FeeBearer,
  OperationType,
  OwnerType,
  PaymentMethod,
  Provider,
  SourceType,
} from "./enums"
import * as field from "./fields"
import { currencyIn } from "./forms"
import { inSnakeCase, UnusableField, reader, type Figure, type Wire } from "./reading"
import { figureIn, sideIn } from "./figures"
import { expectCurrencies, expecting } from "./unusual"

/** The merchant whose tier sets the predicted fees. Set both fields or neither. */
type Owner =
  | { readonly ownerType: OwnerType; readonly ownerId: Given<MerchantId> }
  | { readonly ownerType?: undefined; readonly ownerId?: undefined }

export type AmountAndFeesRequest = {
  /** The billed amount. */
  readonly baseAmount: Amount
  /** The currency that the payer pays in. */
  readonly targetCurrency: Currency
  readonly paymentMethod: PaymentMethod
  readonly provider: Provider
  readonly operationType: OperationType
  readonly feeBearer: FeeBearer
} & Owner

export type SourceAmountAndFeesRequest = {
  readonly sourceType: SourceType
  /** The published source: its total, currency and fee bearer are the base. */
  readonly sourceId: Given<SourceId>
  /** The currency that the payer pays in. */
  readonly targetCurrency: Currency
  readonly paymentMethod: PaymentMethod
  readonly provider: Provider
}

/** Figures with every digit of the answer; the `minor` of each is rounded to its currency. */
export type AmountAndFees = {
  readonly payerAmount: Figure
  readonly payeeAmount: Figure
  /** A fee without a currency in the answer is in `wire` only. */
  readonly platformFee?: Figure
  readonly gatewayFee?: Figure
  /** Decimal text in major units; the answer names no currency for it. */
  readonly fxFee?: string
  readonly wire: Wire
}

export type MmoProviderInfoRequest = {
  /** The wallet's number, digits of E.164 without a plus. */
  readonly phone: string
  /** What the wallet is to be used for. Default `COLLECTION`. */
  readonly operationType?: OperationType | undefined
}

type ProviderInfo = {
  /** Send it and `provider` unchanged when you create the payment account. */
  readonly paymentMethod: ExactText
  readonly provider: ExactText
  /** The country, in a format that is documented nowhere; not a country code. */
  readonly country?: CleanText
  /** The currencies in which the wallet or card can pay; empty if a card's answer has none. */
  readonly currencies: readonly CurrencyCode[]
  readonly operationType?: StateWord
  readonly wire: Wire
}

export type MmoProviderInfo = ProviderInfo & {
  /** The operator's name for display. */
  readonly carrier?: CleanText
  readonly phone?: PrivateText
}

export type CardProviderInfoRequest = {
  /** The token that the card processor's browser SDK made for the card. No error repeats it. */
  readonly paymentMethodId: string
  /** What the card is to be used for. Default `COLLECTION`. */
  readonly operationType?: OperationType | undefined
  /** The card processor's name on the wire. Sent only if set; the public examples send it. */
  readonly provider?: Provider | undefined
}

/** Partly assumed: the public pages name these fields, but show no answer. */
export type CardProviderInfo = ProviderInfo & { readonly brand?: CleanText }

const payment = {
  targetCurrency: currencyField,
  paymentMethod: field.addressText,
  provider: field.addressText,
}
const requestSchema = z
  .object({
    ...payment,
    baseAmount: payableField,
    operationType: z.enum(ENUMS.OperationType),
    feeBearer: z.enum(ENUMS.FeeBearer),
    ownerType: z.enum(ENUMS.OwnerType).optional(),
    ownerId: z.int().positive().optional(),
  })
  .superRefine(({ ownerType, ownerId }, context) => {
    if ((ownerType === undefined) === (ownerId === undefined)) return
    const path = [ownerType === undefined ? "ownerType" : "ownerId"]
    context.addIssue({ code: "custom", path, message: "missing beside its other half" })
  })
const answerSchema = z.object({
  payer_amount: field.fromWire,
  payer_currency: field.fromWire,
  payee_amount: field.fromWire,
  payee_currency: field.fromWire,
  platform_fee: field.fromWire,
  platform_currency: field.fromWire,
  gateway_fee: field.fromWire,
  gateway_currency: field.fromWire,
  fx_fee: field.optionalDecimal,
})

const readAmountAndFees = reader<typeof answerSchema, unknown, AmountAndFees>(
  answerSchema,
  ({ fxFee }, wire) => {
    const payerAmount = figureIn(wire, "payer_amount", "payer_currency")
    if (payerAmount instanceof UnusableField) return payerAmount
    const payeeAmount = figureIn(wire, "payee_amount", "payee_currency")
    if (payeeAmount instanceof UnusableField) return payeeAmount
    // The fees are only shown: what the payer pays and the shop gets is there without them.
    const platformFee = sideIn(wire, "platform_fee", "platform_currency").amount
    const gatewayFee = sideIn(wire, "gateway_fee", "gateway_currency").amount
    return { payerAmount, payeeAmount, platformFee, gatewayFee, fxFee, wire }
  },
)

const operationType = z.enum(ENUMS.OperationType).default("COLLECTION")
const providerFields = {
  payment_method: field.exactText,
  gateway_provider: field.exactText,
  country: field.optionalText,
  operation_type: field.optionalWord(ENUMS.OperationType),
}
const mmoAnswerSchema = z.object({
  ...providerFields,
  currencies: expecting(z.array(z.unknown()).transform(currenciesIn), expectCurrencies),
  carrier: field.optionalText,
  phone: field.optionalPrivate,
})
const cardAnswerSchema = z.object({
  ...providerFields,
  currencies: z.unknown().optional().transform(currenciesIn),
  brand: field.optionalText,
})

export const amountAndFees: Endpoint<AmountAndFeesRequest, AmountAndFees> = {
  operation: "predictions.amountAndFees",
  write: writer(requestSchema, ({ baseAmount, ...fields }) => ({
    query: {
      base_amount: majorText(moneyOf(baseAmount)),
      base_currency: baseAmount.currency,
      ...inSnakeCase(fields),
    },
  })),
  read: readAmountAndFees,
}

export const sourceAmountAndFees: Endpoint<SourceAmountAndFeesRequest, AmountAndFees> = {
  operation: "predictions.sourceAmountAndFees",
  write: inQuery(
    z.object({ ...payment, sourceType: field.sourceType, sourceId: z.int().positive() }),
  ),
  read: readAmountAndFees,
}

export const mmoProviderInfo: Endpoint<MmoProviderInfoRequest, MmoProviderInfo> = {
  operation: "predictions.mmoProviderInfo",
  write: inQuery(z.object({ phone: field.phone, operationType })),
  read: reader(mmoAnswerSchema, ({ gatewayProvider: provider, ...fields }, wire) => ({
    ...fields,
    provider,
    wire,
  })),
}

export const cardProviderInfo: Endpoint<CardProviderInfoRequest, CardProviderInfo> = {
  operation: "predictions.cardProviderInfo",
  write: inQuery(
    z.object({
      paymentMethodId: field.addressText,
      operationType,
      provider: field.addressText.optional(),
    }),
  ),
  read: reader(cardAnswerSchema, ({ gatewayProvider: provider, ...fields }, wire) => ({
    ...fields,
    provider,
    wire,
  })),
  secretsIn: ({ paymentMethodId }) => [paymentMethodId],
}

/** Keeps only the values that are currencies. */
function currenciesIn(values: unknown): readonly CurrencyCode[] {
  return Array.isArray(values) ? values.flatMap((text) => currencyIn(text) ?? []) : []
}

/** What a payment would cost. Not binding: the receipt shows what settled (contract, 9). */
export const predictionsOf = (call: Call) => ({
  /**
   * What a payment of an amount would cost payer and payee, exchange included. `refused` with
   * `Invalid`: method and provider do not fit each other, or the pair of currencies has no rate
   * (contract, 8 and 9).
   */
  amountAndFees: methodOf(call, amountAndFees),
  /**
   * What a payment of a published source would cost: the source's total, currency and fee bearer
   * are the base (contract, 2b, 8 and 9).
   */
  sourceAmountAndFees: methodOf(call, sourceAmountAndFees),
  /**
   * The operator whose wallet a phone number is. `refused` with `Invalid`: no operator serves the
   * number (specification, "Predict mobile money provider"; contract, 2b and 9).
   */
  mmoProviderInfo: methodOf(call, mmoProviderInfo),
  /**
   * Where a card is routed, by the token of the card processor's browser SDK. No error has the
   * token, but the address of the request has it: keep that out of the logs of your own proxies
   * (contract, 2c, 9).
   */
  cardProviderInfo: methodOf(call, cardProviderInfo),
})
