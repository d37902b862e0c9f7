import { enableRegion } from "../../../../../../accounts/regions"
import { shapedIn } from "../../../../../shape"
import { parsed } from "../../../../../validators"
import { accountsRoute, enableBody } from "../../../accounts/input"
import type { RegionEnabledResponse } from "../../../../../../accounts/rules/account-responses"

/** Offers this plugin's payment providers in a region, beside its other ones. */
export const POST = accountsRoute<RegionEnabledResponse>(async (deps, request) => {
  const id = shapedIn(request.params, "region_not_found")
  const { provider_ids } = parsed(enableBody, request.body)
  return { region: await enableRegion(deps, id, provider_ids) }
})
