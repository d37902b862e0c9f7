import { readOperation } from "../../../../../../review/read-operations"
import { resolveOperation } from "../../../../../../review/resolve"
import { readingOf } from "../../../../../../review/view"
import { operationIdIn, resolveBody } from "../../../../../admin-validators"
import { adminRoute } from "../../../../../respond"
import { parsed } from "../../../../../validators"
import type { OperationResponse } from "../../../../../../review/rules/review-responses"

/** An admin decides about an operation in review. */
export const POST = adminRoute<OperationResponse>(async (deps, request, adminId) => {
  const operationId = operationIdIn(request.params)
  const body = parsed(resolveBody, request.body)
  const now = await resolveOperation(deps, {
    operationId,
    adminId,
    action: body.action,
    note: body.note,
    cartId: body.cart_id ?? undefined,
    orderId: body.order_id ?? undefined,
    expectedAmount: body.expected_amount ?? undefined,
  })
  return { operation: await readOperation(deps, operationId), gateway: readingOf(now) }
})
