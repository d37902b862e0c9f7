import { predictFees } from "../../../../../accounts/read-fees"
import { adminRoute } from "../../../../routes"

export const GET = adminRoute("GET fees/prediction", async (deps, { query }) => ({
  quote: await predictFees(deps, {
    accountId: query.account_id,
    amount: query.amount,
    currency: query.currency,
    paymentMethod: query.payment_method,
    payerCurrency: query.payer_currency,
    bearer: query.bearer,
  }),
}))
