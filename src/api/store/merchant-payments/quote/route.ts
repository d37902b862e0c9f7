import { limitAsk } from "../../../../checkout/limit-asks"
import { quoteCart } from "../../../../checkout/offer/predict-quote"
import { networkOf } from "../../../network"
import { storeRoute } from "../../../routes"
import { ofCart } from "../../../shopper"

export const GET = storeRoute("GET quote", (deps, { query }, request) => {
  const { cart_id: cartId, payment_method: paymentMethod, payer_currency: payerCurrency } = query
  const network = networkOf(request)
  const beforeAsking = () => limitAsk(deps, { what: "quote", network, cartId })
  return ofCart(deps, network, cartId, async () => ({
    quote: await quoteCart(deps, { cartId, paymentMethod, payerCurrency, beforeAsking }),
  }))
})
