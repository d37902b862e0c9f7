import { systemClock } from "../../../../core/ports"
import { tooMany } from "../../../../core/refusal"
import { predictOperator } from "../../../../checkout/payment-methods"
import { networkOf } from "../../../network"
import { askLimit } from "../../../quote-limit"
import { route } from "../../../respond"
import { operatorBody, parsed } from "../../../validators"

/** Each prediction uses the store's rate limit at the gateway. `start` asks on its own. */
const limit = askLimit(systemClock)

/** The operator of a phone number. The response repeats at most its last three digits. */
export const POST = route(async (deps, request) => {
  const { phone, country_code } = parsed(operatorBody, request.body)
  const waitMs = limit.take(networkOf(request))
  if (waitMs > 0) throw tooMany(waitMs)
  return { operator: await predictOperator(deps, { phone, countryCode: country_code }) }
})
