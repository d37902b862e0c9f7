import { listPaymentMethods } from "../../../../checkout/offer/payment-methods"
import { route } from "../../../respond"
import { methodsQuery, parsed } from "../../../validators"

/** The payment methods of a cart. An empty list while no credentials are set. */
export const GET = route(async (deps, request) => {
  const { cart_id } = parsed(methodsQuery, request.query)
  return { methods: await listPaymentMethods(deps, cart_id) }
})
