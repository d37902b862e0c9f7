import { enterPaymentIntent } from "../../../../../../review/payment-intent"
import { readOperation } from "../../../../../../review/read-operations"
import { adminRoute } from "../../../../../routes"

export const POST = adminRoute(
  "POST operations/:id/payment-intent",
  async (deps, { id, body, adminId }) => {
    const { payment_intent_id: paymentIntentId } = body
    await enterPaymentIntent(deps, { operationId: id, paymentIntentId, adminId })
    return { operation: await readOperation(deps, id) }
  },
)
