import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { readStatus } from "../../../../../checkout/read-status"
import { respondShopper } from "../../../../shopper"

/** STATUS, from the ledger: polling does not call the gateway. */
export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  respondShopper(request, response, async (deps, shopper) => {
    const { status } = await readStatus(deps, shopper)
    return { payment: status }
  })
