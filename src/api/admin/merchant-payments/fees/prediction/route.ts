import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { predictFees } from "../../../../../accounts/read-fees"
import { respond } from "../../../../respond"
import { parsed } from "../../../../validators"
import { predictionQuery } from "../../accounts/input"
import type { FeePredictionResponse } from "../../accounts/types"

/** What the payer pays and what the merchant gets. */
export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  respond(request, response, async (deps): Promise<FeePredictionResponse> => {
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
