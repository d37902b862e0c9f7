/** Calls of `gateway.predictions`. */
import { PHONE } from "./call-case"
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

export const PREDICTION_CALLS: readonly CallCase[] = [
  {
    operation: "predictions.mmoProviderInfo",
    body: OPERATOR,
    run: (gateway, options) => gateway.predictions.mmoProviderInfo({ phone: PHONE }, options),
  },
]
