import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { readHealth } from "../../../../accounts/read-health"
import { accountsFrom } from "../../../../medusa/wiring/flows-from"

/** 503 when down, so that a monitor need not read JSON; 200 when ok or degraded. */
export const GET = async (
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
): Promise<void> => {
  const health = await readHealth(accountsFrom(request.scope))
  response.status(health.status === "down" ? 503 : 200).json(health)
}
