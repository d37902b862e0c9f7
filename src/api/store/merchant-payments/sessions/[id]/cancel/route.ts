import { cancelPayment } from "../../../../../../checkout/cancel-payment"
import { shopperRoute } from "../../../../../shopper"

export const POST = shopperRoute("POST sessions/:id/cancel", async (deps, shopper) => ({
  payment: await cancelPayment(deps, shopper),
}))
