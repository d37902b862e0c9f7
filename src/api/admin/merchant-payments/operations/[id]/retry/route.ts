import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { readOperation } from "../../../../../../review/read-operations"
import { retryRefund } from "../../../../../../review/retry-refund"
import { noBody, operationIdIn } from "../../../../../admin-validators"
import { respondAdmin } from "../../../../../respond"
import { parsed } from "../../../../../validators"
import type { OperationResponse } from "../../../types"

/** Makes a failed refund again; the response shows the new one. */
export const POST = (
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
): Promise<void> =>
  respondAdmin<OperationResponse>(request, response, async (deps, adminId) => {
    const id = operationIdIn(request.params)
    parsed(noBody, request.body)
    const made = await retryRefund(deps, id, adminId)
    return { operation: await readOperation(deps, made.id), gateway: null }
  })
