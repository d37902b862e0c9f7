import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { readOperations } from "../../../../review/read-operations"
import { filterOf, operationsQuery, pagingOf } from "../../../admin-validators"
import { respondAdmin } from "../../../respond"
import { parsed } from "../../../validators"
import type { OperationList } from "../types"

/** Operations that fit the query, newest first. */
export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  respondAdmin<OperationList>(request, response, async (deps) => {
    const query = parsed(operationsQuery, request.query)
    return readOperations(deps, filterOf(query), pagingOf(query))
  })
