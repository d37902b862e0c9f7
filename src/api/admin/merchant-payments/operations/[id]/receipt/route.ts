import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { readReceiptOfOperation } from "../../../../../../worker/receipts"
import { adminReceipt } from "../../../../../../worker/rules/receipt"
import { operationIdIn } from "../../../../../admin-validators"
import { respond } from "../../../../../respond"

export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  respond(request, response, async (deps) => {
    const { operation, fetched } = await readReceiptOfOperation(deps, operationIdIn(request.params))
    return { receipt: adminReceipt(operation, fetched) }
  })
