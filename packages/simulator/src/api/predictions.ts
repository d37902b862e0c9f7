/**
 * Predictions. Amounts are decimal texts only here. A well-formed number that no operator serves
 * answers 422 on its field, and so does an unknown card token.
 */
import type { OperationType, Provider } from "../book/records"
import { decimalText } from "../money"
import { refused } from "../problem"
import { cardOf } from "../rules/cards"
import type { Figures } from "../rules/figures"
import { operatorOf } from "../rules/operators"
import {
  predictedForAmount,
  predictedForSource,
  type AmountRequest,
  type SourceRequest,
} from "../rules/predictions"
import { operation, type Operation } from "./operation"

const predictAmountAndFees = operation<undefined, AmountRequest>(
  "predictAmountAndFees",
  ({ world, ownerId, query }) => figuresAnswer(predictedForAmount(world, ownerId, query)),
)

const predictPaymentSourceAmountAndFees = operation<undefined, SourceRequest>(
  "predictPaymentSourceAmountAndFees",
  ({ world, ownerId, query }) => figuresAnswer(predictedForSource(world, ownerId, query)),
)

function figuresAnswer(figures: Figures) {
  const { payer, payee, platformFeeMinor, gatewayFeeMinor, fxFeeMinor, fxRate } = figures
  const inPayees = (minor: number) => decimalText({ minor, currency: payee.currency })
  const inPayers = (minor: number) => decimalText({ minor, currency: payer.currency })
  return {
    payer_amount: decimalText(payer),
    payer_currency: payer.currency,
    payee_amount: decimalText(payee),
    payee_currency: payee.currency,
    platform_fee: inPayees(platformFeeMinor),
    platform_currency: payee.currency,
    fx_fee: fxRate === null ? null : inPayers(fxFeeMinor),
    gateway_fee: inPayees(gatewayFeeMinor),
    gateway_currency: payee.currency,
  }
}

type PhoneQuery = { phone: string; operation_type: OperationType }

const predictMmoProviderInfo = operation<undefined, PhoneQuery>(
  "predictMmoProviderInfo",
  ({ query }) => {
    const phone = query.phone.replace(/^\+/, "")
    const operator = operatorOf(phone)
    if (!operator) throw refused(["query", "phone"], "No mobile money operator serves this number")
    return {
      carrier: operator.carrier,
      country: operator.country,
      currencies: operator.currencies,
      phone,
      payment_method: operator.method,
      gateway_provider: "MOBILE_MONEY_GATEWAY",
      operation_type: query.operation_type,
    }
  },
)

type CardQuery = { payment_method_id: string; operation_type?: OperationType; provider?: Provider }

const predictCardProviderInfo = operation<undefined, CardQuery>(
  "predictCardProviderInfo",
  ({ world, ownerId, query }) => {
    if (query.provider !== undefined && query.provider !== "CARD_PROCESSOR") {
      throw refused(["query", "provider"], "Not the provider of cards")
    }
    const card = cardOf(query.payment_method_id)
    if (!card)
      throw refused(["query", "payment_method_id"], "The card processor made no such token")
    world.predictedCards.set(ownerId, card.token)
    return {
      brand: card.brand,
      country: card.country,
      currencies: card.currencies,
      payment_method: "CREDIT_CARD",
      gateway_provider: "CARD_PROCESSOR",
      operation_type: query.operation_type ?? null,
    }
  },
)

export const predictionOperations: readonly Operation[] = [
  predictAmountAndFees,
  predictPaymentSourceAmountAndFees,
  predictMmoProviderInfo,
  predictCardProviderInfo,
]
