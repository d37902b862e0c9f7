import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { cancelPayment } from "../../../../../../checkout/cancel-payment"
import { respondShopper } from "../../../../../shopper"

/** The shopper gives up: 200 once no money can be taken any more, else 409 with STATUS. */
export const POST = (
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
): Promise<void> =>
  respondShopper(request, response, async (deps, shopper) => ({
    payment: await cancelPayment(deps, shopper),
  }))
