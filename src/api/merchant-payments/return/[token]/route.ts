import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { visitReturn } from "../../../../checkout/return-visit"
import { flowsFrom } from "../../../../medusa/wiring/flows-from"
import { isRefused } from "../../../respond"
import { PUBLIC } from "../../../endpoints"
import { askedIn } from "../../../parsed"

/** The gateway's page sends the shopper here; this sends them to the shop. It proves no payment. */
export async function GET(request: MedusaRequest, response: MedusaResponse): Promise<void> {
  await isRefused(response, async () => {
    const { token, query } = askedIn(PUBLIC["GET return/:token"], request)
    const { result } = query
    const address = await visitReturn(flowsFrom(request.scope), { token, result })
    response.setHeader("Referrer-Policy", "no-referrer")
    response.redirect(303, address)
  })
}
