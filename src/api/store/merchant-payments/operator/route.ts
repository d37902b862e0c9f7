import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { systemClock } from "../../../../core/ports"
import { tooMany } from "../../../../core/refusal"
import { predictOperator } from "../../../../flows/payment-methods"
import { answer } from "../../../answer"
import { networkOf } from "../../../network"
import { askLimit } from "../../../quote-limit"
import { operatorBody, parsed } from "../../../validators"

/** Each number is a call that the store pays with its rate at the gateway; `start` asks for itself. */
const limit = askLimit(systemClock)

/** Whose wallet a phone number is. Answers the last three digits of it at most. */
export const POST = (request: MedusaRequest, response: MedusaResponse): Promise<void> =>
  answer(request, response, async (deps) => {
    const { phone, country_code } = parsed(operatorBody, request.body)
    const waitMs = limit.take(networkOf(request))
    if (waitMs > 0) throw tooMany("Too many numbers are looked up.", waitMs)
    return { operator: await predictOperator(deps, { phone, countryCode: country_code }) }
  })
