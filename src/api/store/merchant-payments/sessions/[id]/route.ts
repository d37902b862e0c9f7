import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { readStatus } from "../../../../../flows/read-status"
import { answer } from "../../../../answer"
import { shopperOf } from "../../../../shopper"

/** STATUS, from the ledger: asking often costs the gateway nothing. */
export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  answer(request, response, async (deps) => {
    const { status } = await readStatus(deps, shopperOf(request))
    return { payment: status }
  })
