import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { enterPaymentIntent } from "../../../../../../flows/desk/payment-intent"
import { readOperation } from "../../../../../../flows/desk/read-operations"
import { answerAdmin } from "../../../../../admin-answer"
import { operationIdIn, paymentIntentBody } from "../../../../../admin-validators"
import { parsed } from "../../../../../validators"
import type { DeskDetail } from "../../../types"

/** The id that a refund needs and the gateway has not told, copied from the merchant portal. */
export const POST = (
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
): Promise<void> =>
  answerAdmin<{ operation: DeskDetail }>(request, response, async (deps, adminId) => {
    const operationId = operationIdIn(request.params)
    const { payment_intent_id: paymentIntentId } = parsed(paymentIntentBody, request.body)
    await enterPaymentIntent(deps, { operationId, paymentIntentId, adminId })
    return { operation: await readOperation(deps, operationId) }
  })
