import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { PAYMENT_ALIASES } from "../core/merchant-payment"

/**
 * `query.graph` gives payments to the shop's code, and Medusa's routes would give them to whoever
 * names them in `fields`: a shopper would read the shop's fees, and an admin without the policy
 * every payment. So in those routes the names select nothing.
 */
export function withoutPaymentFields(
  request: MedusaRequest,
  _response: MedusaResponse,
  next: MedusaNextFunction,
): void {
  request.restrictedFields?.add([...PAYMENT_ALIASES])
  next()
}
