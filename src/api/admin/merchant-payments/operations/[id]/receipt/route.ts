import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { adminReceipt } from "../../../../../../core/receipt"
import { readReceiptOfOperation } from "../../../../../../flows/receipts"
import { answer } from "../../../../../answer"

export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  answer(request, response, async (deps) => {
    const { operation, fetched } = await readReceiptOfOperation(deps, request.params["id"] ?? "")
    return { receipt: adminReceipt(operation, fetched) }
  })
