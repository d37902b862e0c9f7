import { readOperation } from "../../../../../review/read-operations"
import { operationIdIn } from "../../../../admin-validators"
import { adminRoute } from "../../../../respond"
import type { OperationDetail } from "../../../../../review/rules/review-responses"

/** One operation with its events, its refunds, and what can be done with it now. */
export const GET = adminRoute<{ operation: OperationDetail }>(async (deps, request) => ({
  operation: await readOperation(deps, operationIdIn(request.params)),
}))
