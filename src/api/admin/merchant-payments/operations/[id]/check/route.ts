import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { checkForPerson } from "../../../../../../review/check"
import { readOperation } from "../../../../../../review/read-operations"
import { readingOf } from "../../../../../../review/view"
import { noBody, operationIdIn } from "../../../../../admin-validators"
import { respondAdmin } from "../../../../../respond"
import { parsed } from "../../../../../validators"
import type { OperationResponse } from "../../../types"

/** Asks the gateway about the operation now. */
export const POST = (
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
): Promise<void> =>
  respondAdmin<OperationResponse>(request, response, async (deps, adminId) => {
    const id = operationIdIn(request.params)
    parsed(noBody, request.body)
    const now = await checkForPerson(deps, id, adminId)
    return { operation: await readOperation(deps, id), gateway: now ? readingOf(now) : null }
  })
