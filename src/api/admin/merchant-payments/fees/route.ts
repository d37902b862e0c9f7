import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { readFees } from "../../../../accounts/read-fees"
import { respond } from "../../../respond"
import { parsed } from "../../../validators"
import { feesQuery } from "../accounts/input"
import type { FeesResponse } from "../accounts/types"

export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  respond(request, response, (deps): Promise<FeesResponse> => {
    const { account_id } = parsed(feesQuery, request.query)
    return readFees(deps, account_id)
  })
