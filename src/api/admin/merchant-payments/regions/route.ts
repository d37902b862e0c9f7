import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { readRegions } from "../../../../flows/accounts/regions"
import { answerAccounts } from "../accounts/input"
import type { RegionsAnswer } from "../accounts/types"

export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  answerAccounts(request, response, async (deps): Promise<RegionsAnswer> => ({
    regions: await readRegions(deps),
  }))
