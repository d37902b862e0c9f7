import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { readOrder } from "../../../../../flows/desk/read-operations"
import { answerAdmin } from "../../../../admin-answer"
import { operationIdIn } from "../../../../admin-validators"
import type { DeskOrder } from "../../types"

/** The payments of an order, and what goes back of them. */
export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  answerAdmin<DeskOrder>(request, response, (deps) =>
    readOrder(deps, operationIdIn(request.params)),
  )
