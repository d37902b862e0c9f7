import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { listPaymentMethods } from "../../../../checkout/payment-methods"
import { respond } from "../../../respond"
import { methodsQuery, parsed } from "../../../validators"

/** The payment methods of a cart. An empty list while no credentials are set. */
export const GET = (request: MedusaRequest, response: MedusaResponse): Promise<void> =>
  respond(request, response, async (deps) => {
    const { cart_id } = parsed(methodsQuery, request.query)
    return { methods: await listPaymentMethods(deps, cart_id) }
  })
