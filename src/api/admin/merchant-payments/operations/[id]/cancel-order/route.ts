import { cancelStrayOrder } from "../../../../../../orders/stray-orders"
import { readOperation } from "../../../../../../review/read-operations"
import { cancelOrderBody, operationIdIn } from "../../../../../admin-validators"
import { adminRoute } from "../../../../../respond"
import { parsed } from "../../../../../validators"
import type { OperationResponse } from "../../../../../../review/rules/review-responses"

/** Cancels a second order of the purchase that nobody pays. */
export const POST = adminRoute<OperationResponse>(async (deps, request, adminId) => {
  const operationId = operationIdIn(request.params)
  const { order_id: orderId } = parsed(cancelOrderBody, request.body)
  await cancelStrayOrder(deps, { operationId, orderId, adminId })
  return { operation: await readOperation(deps, operationId), gateway: null }
})
