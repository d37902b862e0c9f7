import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { readRegions } from "../../../../accounts/regions"
import { respondAccounts } from "../accounts/input"
import type { RegionsResponse } from "../accounts/types"

export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  respondAccounts(request, response, async (deps): Promise<RegionsResponse> => ({
    regions: await readRegions(deps),
  }))
