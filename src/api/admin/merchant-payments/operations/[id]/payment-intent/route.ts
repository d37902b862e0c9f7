import { enterPaymentIntent } from "../../../../../../review/payment-intent"
import { readOperation } from "../../../../../../review/read-operations"
import { operationIdIn, paymentIntentBody } from "../../../../../admin-validators"
import { adminRoute } from "../../../../../respond"
import { parsed } from "../../../../../validators"
import type { OperationDetail } from "../../../../../../review/rules/review-responses"

/**
 * Takes the payment intent id that a refund needs. An admin copies it from the merchant portal if
 * the gateway did not give it.
 */
export const POST = adminRoute<{ operation: OperationDetail }>(async (deps, request, adminId) => {
  const operationId = operationIdIn(request.params)
  const { payment_intent_id: paymentIntentId } = parsed(paymentIntentBody, request.body)
  await enterPaymentIntent(deps, { operationId, paymentIntentId, adminId })
  return { operation: await readOperation(deps, operationId) }
})
