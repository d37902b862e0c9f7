/**
 * Predictions. Amounts are decimal texts only here. A well-formed number that no operator serves
 * answers 422 on its field, and so does an unknown card token.
 */
import type { OperationType, Provider } from "../book/records"
import { decimalText } from "../money"
import { notFound, Problem, refused } from "../problem"
import { cardOf } from "../rules/cards"
import type { Figures } from "../rules/figures"
import { operatorOf } from "../rules/operators"
import {
  predictedForAmount,
  predictedForSource,
  type AmountRequest,
  type SourceRequest,
} from "../rules/predictions"
import type { World } from "../world"
import { operation, type Operation } from "./operation"

const predictAmountAndFees = operation<undefined, AmountRequest>(
  "predictAmountAndFees",
  ({ world, ownerId, query }) => {
    requireUp(world, "predictAmountAndFees")
    return figuresAnswer(predictedForAmount(world, ownerId, query))
  },
)

const predictPaymentSourceAmountAndFees = operation<undefined, SourceRequest>(
  "predictPaymentSourceAmountAndFees",
  ({ world, ownerId, query }) => {
    requireUp(world, "predictPaymentSourceAmountAndFees")
    return figuresAnswer(predictedForSource(world, ownerId, query))
  },
)

const DOWN_ONE_IN = 8
const UNKNOWN_ONE_IN = 5
const DOWN = [
  () => new Problem(503, { detail: "Predictions are not available" }),
  () => new Problem(429, { detail: "Too many predictions" }, { "retry-after": "1" }),
]

/** By habit, predictions are down for a few calls, now and then. */
function requireUp({ habits }: World, operation: string): void {
  const run = habits.struckRun("predictions_down", operation, DOWN_ONE_IN)
  const down = run === null ? undefined : habits.oneOf(DOWN, run)
  if (down) throw down()
}

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
  ({ world, query }) => {
    requireUp(world, "predictMmoProviderInfo")
    const phone = query.phone.replace(/^\+/, "")
    if (world.habits.meets("unknown_operators", phone, UNKNOWN_ONE_IN)) throw notFound("Operator")
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
