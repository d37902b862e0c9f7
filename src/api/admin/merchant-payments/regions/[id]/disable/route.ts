import { disableRegion } from "../../../../../../accounts/regions"
import { shapedIn } from "../../../../../shape"
import { accountsRoute } from "../../../accounts/input"
import type { RegionDisabledResponse } from "../../../../../../accounts/rules/account-responses"

/** Offers this plugin's payment providers in a region no more, and keeps its other ones. */
export const POST = accountsRoute<RegionDisabledResponse>(async (deps, request) => ({
  region: await disableRegion(deps, shapedIn(request.params, "region_not_found")),
}))
