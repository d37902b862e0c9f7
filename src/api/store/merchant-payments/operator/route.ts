import { limitAsk } from "../../../../checkout/limit-asks"
import { predictOperator } from "../../../../checkout/offer/predict-operator"
import { networkOf } from "../../../network"
import { storeRoute } from "../../../routes"

export const POST = storeRoute("POST operator", async (deps, { body }, request) => {
  // Each prediction uses the store's rate limit at the gateway. `start` asks on its own.
  await limitAsk(deps, { what: "operator", network: networkOf(request) })
  const { phone, country_code: countryCode } = body
  return { operator: await predictOperator(deps, { phone, countryCode }) }
})
