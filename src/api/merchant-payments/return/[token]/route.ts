import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { Refusal } from "../../../../core/refusal"
import { visitReturn } from "../../../../checkout/return-visit"
import { flowsFrom } from "../../../../medusa/wiring/flows-from"
import { refuse } from "../../../respond"
import { shapedIn } from "../../../shape"
import { parsed, returnQuery } from "../../../validators"

/**
 * The gateway's page sends the shopper here; the route redirects to the shop. A visit proves
 * nothing.
 */
export async function GET(request: MedusaRequest, response: MedusaResponse): Promise<void> {
  try {
    const { result } = parsed(returnQuery, request.query)
    const token = shapedIn(request.params, "session_not_found.return", "token")
    const address = await visitReturn(flowsFrom(request.scope), { token, result })
    response.setHeader("Cache-Control", "no-store")
    response.setHeader("Referrer-Policy", "no-referrer")
    response.redirect(303, address)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    refuse(response, error)
  }
}
