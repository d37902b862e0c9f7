/** Calls of `gateway.predictions`. */
import { currency, money, PHONE } from "./call-case"
import type { CallCase } from "./call-case"

export const OPERATOR = {
  carrier: "Operator 1",
  country: "LBR",
  currencies: ["USD", "LRD"],
  phone: PHONE,
  payment_method: "OPERATOR1_MOMO_LBR",
  gateway_provider: "MOBILE_MONEY_GATEWAY",
  operation_type: "COLLECTION",
}

export const CARD = {
  brand: "brand1",
  country: "US",
  currencies: ["USD"],
  payment_method: "CREDIT_CARD",
  gateway_provider: "CARD_PROCESSOR",
  operation_type: "COLLECTION",
}
/** Amounts as text, which only predictions use. */
export const AMOUNTS = {
  payer_amount: "43.10",
  payer_currency: "USD",
  payee_amount: "42.50",
  payee_currency: "USD",
  platform_fee: "0.42",
  platform_currency: "USD",
  fx_fee: null,
  gateway_fee: "0.18",
  gateway_currency: "USD",
}

/** No error or log line may repeat it. */
export const CARD_TOKEN = "pm_CANARY/card token"

export const PREDICTION_CALLS: readonly CallCase[] = [
  {
    operation: "predictions.mmoProviderInfo",
    body: OPERATOR,
    run: (gateway, options) => gateway.predictions.mmoProviderInfo({ phone: PHONE }, options),
  },
  {
    operation: "predictions.amountAndFees",
    body: AMOUNTS,
    run: (gateway, options) =>
      gateway.predictions.amountAndFees(
        {
          baseAmount: money("42.50"),
          targetCurrency: currency("USD"),
          paymentMethod: "OPERATOR1_MOMO_LBR",
          provider: "MOBILE_MONEY_GATEWAY",
          operationType: "COLLECTION",
          feeBearer: "PAYER",
          ownerType: "ORGANIZATION",
          ownerId: 7,
        },
        options,
      ),
  },
  {
    operation: "predictions.sourceAmountAndFees",
    body: AMOUNTS,
    run: (gateway, options) =>
      gateway.predictions.sourceAmountAndFees(
        {
          sourceType: "ORDER",
          sourceId: 301,
          targetCurrency: currency("USD"),
          paymentMethod: "OPERATOR1_MOMO_LBR",
          provider: "MOBILE_MONEY_GATEWAY",
        },
        options,
      ),
  },
  {
    operation: "predictions.cardProviderInfo",
    body: CARD,
    run: (gateway, options) =>
      gateway.predictions.cardProviderInfo(
        { paymentMethodId: CARD_TOKEN, provider: "CARD_PROCESSOR" },
        options,
      ),
  },
]
