import { predictFees } from "../../../../../accounts/read-fees"
import { adminRoute } from "../../../../respond"
import { parsed } from "../../../../validators"
import { predictionQuery } from "../../accounts/input"
import type { FeePredictionResponse } from "../../../../../accounts/rules/account-responses"

/** What the payer pays and what the merchant gets. */
export const GET = adminRoute<FeePredictionResponse>(async (deps, request) => {
  const query = parsed(predictionQuery, request.query)
  const quote = await predictFees(deps, {
    accountId: query.account_id,
    amount: query.amount,
    currency: query.currency,
    paymentMethod: query.payment_method,
    payerCurrency: query.payer_currency,
    bearer: query.bearer,
  })
  return { quote }
})
