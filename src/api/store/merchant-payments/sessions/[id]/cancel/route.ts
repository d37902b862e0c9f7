import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { cancelPayment } from "../../../../../../flows/cancel-payment"
import { answer } from "../../../../../answer"
import { shopperOf } from "../../../../../shopper"

/** A shopper gives up: 200 once nothing can be taken any more, else 409 with STATUS. */
export const POST = (
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
): Promise<void> =>
  answer(request, response, async (deps) => ({
    payment: await cancelPayment(deps, shopperOf(request)),
  }))
