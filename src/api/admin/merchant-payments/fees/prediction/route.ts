import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { predictFees } from "../../../../../flows/accounts/read-fees"
import { answer } from "../../../../answer"
import { parsed } from "../../../../validators"
import { predictionQuery } from "../../accounts/input"
import type { FeePredictionAnswer } from "../../accounts/types"

/** The payer pays, you get. */
export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  answer(request, response, async (deps): Promise<FeePredictionAnswer> => {
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
