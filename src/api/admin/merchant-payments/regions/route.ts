import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { readRegions } from "../../../../accounts/regions"
import { respondAccounts } from "../accounts/input"
import type { RegionsAnswer } from "../accounts/types"

export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  respondAccounts(request, response, async (deps): Promise<RegionsAnswer> => ({
    regions: await readRegions(deps),
  }))
