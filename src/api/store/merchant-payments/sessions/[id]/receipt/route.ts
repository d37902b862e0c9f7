import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { shopperReceipt } from "../../../../../../core/receipt"
import { readReceiptOfSession } from "../../../../../../flows/receipts"
import { answerShopper } from "../../../../../shopper"

/** The receipt of what was paid, without anything that only the shop is told. */
export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  answerShopper(request, response, async (deps, shopper) => {
    const { operation, fetched } = await readReceiptOfSession(deps, shopper)
    return { receipt: shopperReceipt(operation, fetched) }
  })
