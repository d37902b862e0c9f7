import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { readOperation } from "../../../../../flows/desk/read-operations"
import { answerAdmin } from "../../../../admin-answer"
import { operationIdIn } from "../../../../admin-validators"
import type { DeskDetail } from "../../types"

/** One operation with its story, its refunds, and what can be done with it now. */
export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  answerAdmin<{ operation: DeskDetail }>(request, response, async (deps) => ({
    operation: await readOperation(deps, operationIdIn(request.params)),
  }))
