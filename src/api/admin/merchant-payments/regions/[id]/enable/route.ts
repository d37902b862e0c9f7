import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { enableRegion } from "../../../../../../accounts/regions"
import { parsed } from "../../../../../validators"
import { respondAccounts, enableBody, idIn } from "../../../accounts/input"
import type { RegionEnabledResponse } from "../../../accounts/types"

/** Offers this plugin's payment providers in a region, beside its other ones. */
export const POST = (
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
): Promise<void> =>
  respondAccounts(request, response, async (deps): Promise<RegionEnabledResponse> => {
    const id = idIn(request)
    const { provider_ids } = parsed(enableBody, request.body)
    return { region: await enableRegion(deps, id, provider_ids) }
  })
