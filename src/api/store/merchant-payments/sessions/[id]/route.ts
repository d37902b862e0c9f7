import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { readStatus } from "../../../../../flows/read-status"
import { answerShopper } from "../../../../shopper"

/** STATUS, from the ledger: asking often costs the gateway nothing. */
export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  answerShopper(request, response, async (deps, shopper) => {
    const { status } = await readStatus(deps, shopper)
    return { payment: status }
  })
