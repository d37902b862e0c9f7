import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { readReceiptOfSession } from "../../../../../../worker/receipts"
import { shopperReceipt } from "../../../../../../worker/rules/receipt"
import { respondShopper } from "../../../../../shopper"

/** The receipt of a payment, without the fields that are for the merchant only. */
export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  respondShopper(request, response, async (deps, shopper) => {
    const { operation, fetched } = await readReceiptOfSession(deps, shopper)
    return { receipt: shopperReceipt(operation, fetched) }
  })
