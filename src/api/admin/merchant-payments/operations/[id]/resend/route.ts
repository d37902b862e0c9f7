import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { readOperation } from "../../../../../../review/read-operations"
import { resendLink } from "../../../../../../payment-links/resend-link"
import { noBody, operationIdIn } from "../../../../../admin-validators"
import { respondAdmin } from "../../../../../respond"
import { parsed } from "../../../../../validators"
import type { OperationResponse } from "../../../types"

/** The address of a payment link again, to be sent to the payer. */
export const POST = (
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
): Promise<void> =>
  respondAdmin<OperationResponse>(request, response, async (deps, adminId) => {
    const id = operationIdIn(request.params)
    parsed(noBody, request.body)
    await resendLink(deps, id, adminId)
    return { operation: await readOperation(deps, id), gateway: null }
  })
