import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { allowance } from "../../../../core/allowance"
import { LIMITS } from "../../../../core/limits"
import { systemClock } from "../../../../core/ports"
import { predictOperator } from "../../../../flows/payment-methods"
import { answer } from "../../../answer"
import { tooMany } from "../../../shopper"
import { operatorBody, parsed } from "../../../validators"

/** Each number is a call that the store pays with its rate at the gateway; `start` asks for itself. */
const limit = allowance(systemClock, {
  atOnce: LIMITS.operatorAsksOfProcess,
  earnedBackMs: LIMITS.operatorAskOfProcessBackMs,
  keysMax: 1,
})

/** Whose wallet a phone number is. Answers the last three digits of it at most. */
export const POST = (request: MedusaRequest, response: MedusaResponse): Promise<void> =>
  answer(request, response, async (deps) => {
    const { phone, country_code } = parsed(operatorBody, request.body)
    const waitMs = limit.waitMs("all")
    if (waitMs > 0) throw tooMany(response, waitMs, "Too many numbers are looked up.")
    limit.spend("all")
    return { operator: await predictOperator(deps, { phone, countryCode: country_code }) }
  })
