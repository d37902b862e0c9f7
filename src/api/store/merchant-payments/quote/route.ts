import { limitAsk } from "../../../../checkout/limit-asks"
import { quoteCart } from "../../../../checkout/offer/predict-quote"
import { networkOf } from "../../../network"
import { route } from "../../../respond"
import { ofCart } from "../../../shopper"
import { parsed, quoteQuery } from "../../../validators"

/** What the wallet would be charged for the cart as it is now; not binding. */
export const GET = route((deps, request) => {
  const query = parsed(quoteQuery, request.query)
  const { cart_id: cartId, payment_method: paymentMethod, payer_currency: payerCurrency } = query
  const network = networkOf(request)
  const beforeAsking = () => limitAsk(deps, { what: "quote", network, cartId })
  return ofCart(network, cartId, async () => ({
    quote: await quoteCart(deps, { cartId, paymentMethod, payerCurrency, beforeAsking }),
  }))
})
