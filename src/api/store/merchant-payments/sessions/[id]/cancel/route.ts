import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { cancelPayment } from "../../../../../../flows/cancel-payment"
import { answerShopper } from "../../../../../shopper"

/** A shopper gives up: 200 once nothing can be taken any more, else 409 with STATUS. */
export const POST = (
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
): Promise<void> =>
  answerShopper(request, response, async (deps, shopper) => ({
    payment: await cancelPayment(deps, shopper),
  }))
