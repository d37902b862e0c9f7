import { systemClock } from "../../../../core/ports"
import { tooMany } from "../../../../core/refusal"
import { quoteCart } from "../../../../checkout/predict-quote"
import { networkOf } from "../../../network"
import { quoteLimit } from "../../../quote-limit"
import { cartRoute } from "../../../shopper"
import { parsed, quoteQuery } from "../../../validators"

const limit = quoteLimit(systemClock)

/** What the wallet would be charged for the cart as it is now; not binding. */
export const GET = cartRoute((deps, request) => {
  const query = parsed(quoteQuery, request.query)
  const { cart_id: cartId, payment_method: paymentMethod, payer_currency: payerCurrency } = query
  const beforeAsking = () => {
    const waitMs = limit.take(networkOf(request), cartId)
    if (waitMs > 0) throw tooMany(waitMs)
  }
  return {
    cartId,
    work: async () => ({
      quote: await quoteCart(deps, { cartId, paymentMethod, payerCurrency, beforeAsking }),
    }),
  }
})
