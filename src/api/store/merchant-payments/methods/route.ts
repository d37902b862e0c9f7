import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { listPaymentMethods } from "../../../../flows/payment-methods"
import { answerForCart } from "../../../shopper"
import { methodsQuery, parsed } from "../../../validators"

/** What a cart can be paid with. An empty list while no credentials are set. */
export const GET = (request: MedusaRequest, response: MedusaResponse): Promise<void> =>
  answerForCart(request, response, (deps) => {
    const { cart_id: cartId } = parsed(methodsQuery, request.query)
    return { cartId, work: async () => ({ methods: await listPaymentMethods(deps, cartId) }) }
  })
