/**
 * `predictions/amount-and-fees` and `predictions/payment-source/amount-and-fees`: what a payment
 * would cost payer and payee (contract, 8 and 9). Only these answers write amounts as text.
 */
import { z } from "zod"
import { majorText } from "../../core/money"
import { inQuery, writer, type Endpoint } from "../endpoint"
import type { Amount, Currency } from "./amounts"
import { currencyField, moneyOf, payableField } from "./amounts"
import type {
  FeeBearer,
  OperationType,
  OwnerType,
  PaymentMethod,
  Provider,
  SourceType,
} from "./enums"
import { ENUMS } from "./enums"
import type { Figure, Wire } from "./fields"
import { addressTextField, fromWire, inSnakeCase, Misfit, reader, sourceTypeField } from "./fields"
import { feeIn, figureIn, optionalAmountText } from "./figures"

/** The merchant whose own tier prices the prediction. Set both or neither. */
type Owner =
  | { readonly ownerType: OwnerType; readonly ownerId: number }
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
  readonly sourceId: number
  /** The currency that the payer pays in. */
  readonly targetCurrency: Currency
  readonly paymentMethod: PaymentMethod
  readonly provider: Provider
}

/** Figures with every digit that was answered; `minor` of each is rounded to its currency. */
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

const requestSchema = z
  .object({
    baseAmount: payableField,
    targetCurrency: currencyField,
    paymentMethod: addressTextField,
    provider: addressTextField,
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
  payer_amount: fromWire,
  payer_currency: fromWire,
  payee_amount: fromWire,
  payee_currency: fromWire,
  platform_fee: fromWire,
  platform_currency: fromWire,
  gateway_fee: fromWire,
  gateway_currency: fromWire,
  fx_fee: optionalAmountText,
})

const readAmountAndFees = reader<typeof answerSchema, unknown, AmountAndFees>(
  answerSchema,
  ({ fxFee }, wire) => {
    const payerAmount = figureIn(wire, "payer_amount", "payer_currency")
    if (payerAmount instanceof Misfit) return payerAmount
    const payeeAmount = figureIn(wire, "payee_amount", "payee_currency")
    if (payeeAmount instanceof Misfit) return payeeAmount
    const platformFee = feeIn(wire, "platform_fee", "platform_currency")
    if (platformFee instanceof Misfit) return platformFee
    const gatewayFee = feeIn(wire, "gateway_fee", "gateway_currency")
    if (gatewayFee instanceof Misfit) return gatewayFee
    return { payerAmount, payeeAmount, platformFee, gatewayFee, fxFee, wire }
  },
)

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
    z.object({
      sourceType: sourceTypeField,
      sourceId: z.int().positive(),
      targetCurrency: currencyField,
      paymentMethod: addressTextField,
      provider: addressTextField,
    }),
  ),
  read: readAmountAndFees,
}
