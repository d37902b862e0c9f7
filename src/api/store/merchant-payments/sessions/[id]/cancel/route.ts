import { cancelPayment } from "../../../../../../checkout/cancel-payment"
import { shopperRoute } from "../../../../../shopper"

/** The shopper gives up: 200 once no money can be taken any more, else 409 with STATUS. */
export const POST = shopperRoute(async (deps, shopper) => ({
  payment: await cancelPayment(deps, shopper),
}))
