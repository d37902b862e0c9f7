import { readOperation } from "../../../../../../review/read-operations"
import { retryRefund } from "../../../../../../review/retry-refund"
import { noBody, operationIdIn } from "../../../../../admin-validators"
import { adminRoute } from "../../../../../respond"
import { parsed } from "../../../../../validators"
import type { OperationResponse } from "../../../../../../review/rules/review-responses"

/** Makes a failed refund again; the response shows the new refund. */
export const POST = adminRoute<OperationResponse>(async (deps, request, adminId) => {
  const id = operationIdIn(request.params)
  parsed(noBody, request.body)
  const made = await retryRefund(deps, id, adminId)
  return { operation: await readOperation(deps, made.id), gateway: null }
})
