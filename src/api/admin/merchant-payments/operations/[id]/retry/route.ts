import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { readOperation } from "../../../../../../flows/desk/read-operations"
import { retryRefund } from "../../../../../../flows/refund/retry-refund"
import { answerAdmin } from "../../../../../admin-answer"
import { noBody, operationIdIn } from "../../../../../admin-validators"
import { parsed } from "../../../../../validators"
import type { DeskAnswer } from "../../../types"

/** A refund that did not go through is made once more; the answer is the new one. */
export const POST = (
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
): Promise<void> =>
  answerAdmin<DeskAnswer>(request, response, async (deps, adminId) => {
    const id = operationIdIn(request.params)
    parsed(noBody, request.body)
    const made = await retryRefund(deps, id, adminId)
    return { operation: await readOperation(deps, made.id), gateway: null }
  })
