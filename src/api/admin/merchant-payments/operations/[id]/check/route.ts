import { checkForPerson } from "../../../../../../review/check"
import { readOperation } from "../../../../../../review/read-operations"
import { readingOf } from "../../../../../../review/view"
import { noBody, operationIdIn } from "../../../../../admin-validators"
import { adminRoute } from "../../../../../respond"
import { parsed } from "../../../../../validators"
import type { OperationResponse } from "../../../../../../review/rules/review-responses"

/** Asks the gateway about the operation now. */
export const POST = adminRoute<OperationResponse>(async (deps, request, adminId) => {
  const id = operationIdIn(request.params)
  parsed(noBody, request.body)
  const now = await checkForPerson(deps, id, adminId)
  return { operation: await readOperation(deps, id), gateway: now ? readingOf(now) : null }
})
