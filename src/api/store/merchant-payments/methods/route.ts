import { listPaymentMethods } from "../../../../checkout/offer/payment-methods"
import { storeRoute } from "../../../routes"

export const GET = storeRoute("GET methods", async (deps, { query }) => ({
  methods: await listPaymentMethods(deps, query.cart_id),
}))
