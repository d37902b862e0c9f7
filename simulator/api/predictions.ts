/** Predictions. A well-formed number that no operator serves answers 422 on its field. */
import { refused } from "../problem"
import { operatorOf } from "../rules/operators"
import { operation } from "./operation"

type PhoneQuery = { phone: string; operation_type: string }

export const predictMmoProviderInfo = operation<undefined, PhoneQuery>(
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
