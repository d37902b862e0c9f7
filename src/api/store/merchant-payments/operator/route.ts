import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { predictOperator } from "../../../../flows/payment-methods"
import { answer } from "../../../answer"
import { operatorBody, parsed } from "../../../validators"

/** Whose wallet a phone number is. Answers the last three digits of it at most. */
export const POST = (request: MedusaRequest, response: MedusaResponse): Promise<void> =>
  answer(request, response, async (deps) => {
    const { phone, country_code } = parsed(operatorBody, request.body)
    return { operator: await predictOperator(deps, { phone, countryCode: country_code }) }
  })
