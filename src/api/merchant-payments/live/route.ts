import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"

/** For a probe: the process answers. It asks nothing else, so a database that is away ends none. */
export async function GET(_request: MedusaRequest, response: MedusaResponse): Promise<void> {
  response.status(200).json({ status: "live" })
}
