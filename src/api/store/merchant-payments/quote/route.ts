import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { quoteCart } from "../../../../flows/predict-quote"
import { answer } from "../../../answer"
import { parsed, quoteQuery } from "../../../validators"

/** What the wallet would be charged for a cart as it is now; not binding. */
export const GET = (request: MedusaRequest, response: MedusaResponse): Promise<void> =>
  answer(request, response, async (deps) => {
    const { cart_id, payment_method, payer_currency } = parsed(quoteQuery, request.query)
    return {
      quote: await quoteCart(deps, {
        cartId: cart_id,
        paymentMethod: payment_method,
        payerCurrency: payer_currency,
      }),
    }
  })
