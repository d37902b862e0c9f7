import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { readOrder } from "../../../../../review/read-operations"
import { operationIdIn } from "../../../../admin-validators"
import { respondAdmin } from "../../../../respond"
import type { OrderPaymentsResponse } from "../../types"

/** The payments of an order, and their refunds. */
export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  respondAdmin<OrderPaymentsResponse>(request, response, (deps) =>
    readOrder(deps, operationIdIn(request.params)),
  )
