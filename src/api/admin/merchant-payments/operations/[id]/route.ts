import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { readOperation } from "../../../../../review/read-operations"
import { operationIdIn } from "../../../../admin-validators"
import { respondAdmin } from "../../../../respond"
import type { OperationDetail } from "../../types"

/** One operation with its events, its refunds, and what can be done with it now. */
export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  respondAdmin<{ operation: OperationDetail }>(request, response, async (deps) => ({
    operation: await readOperation(deps, operationIdIn(request.params)),
  }))
