import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { flowsFrom } from "../../../medusa/wiring/flows-from"
import { readinessOf } from "../../readiness"

/**
 * For a probe: 200 while the database answers and the tables are those of this version, else 503.
 * Anyone may ask, so it says no more than that.
 */
export async function GET(request: MedusaRequest, response: MedusaResponse): Promise<void> {
  const isReady = await readinessOf(flowsFrom(request.scope))
  response.status(isReady ? 200 : 503).json({ status: isReady ? "ready" : "not_ready" })
}
