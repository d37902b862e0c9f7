import { limitAsk } from "../../../../checkout/limit-asks"
import { predictOperator } from "../../../../checkout/offer/predict-operator"
import { networkOf } from "../../../network"
import { route } from "../../../respond"
import { operatorBody, parsed } from "../../../validators"

/** The operator of a phone number. The response repeats at most its last three digits. */
export const POST = route(async (deps, request) => {
  const { phone, country_code } = parsed(operatorBody, request.body)
  // Each prediction uses the store's rate limit at the gateway. `start` asks on its own.
  await limitAsk(deps, { what: "operator", network: networkOf(request) })
  return { operator: await predictOperator(deps, { phone, countryCode: country_code }) }
})
