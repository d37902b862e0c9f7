import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { listPaymentMethods } from "../../../../flows/payment-methods"
import { answer } from "../../../answer"
import { methodsQuery, parsed } from "../../../validators"

/** What a cart can be paid with. An empty list while no credentials are set. */
export const GET = (request: MedusaRequest, response: MedusaResponse): Promise<void> =>
  answer(request, response, async (deps) => {
    const { cart_id } = parsed(methodsQuery, request.query)
    return { methods: await listPaymentMethods(deps, cart_id) }
  })
