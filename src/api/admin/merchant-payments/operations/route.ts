import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { readOperations } from "../../../../flows/desk/read-operations"
import { answerAdmin } from "../../../admin-answer"
import { filterOf, operationsQuery, pagingOf } from "../../../admin-validators"
import { parsed } from "../../../validators"
import type { DeskList } from "../types"

/** Operations, newest first, by whatever somebody looks for. */
export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  answerAdmin<DeskList>(request, response, async (deps) => {
    const query = parsed(operationsQuery, request.query)
    return readOperations(deps, filterOf(query), pagingOf(query))
  })
