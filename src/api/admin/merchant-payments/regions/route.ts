import { readRegions } from "../../../../accounts/regions"
import { accountsRoute } from "../accounts/input"
import type { RegionsResponse } from "../../../../accounts/rules/account-responses"

export const GET = accountsRoute<RegionsResponse>(async (deps) => ({
  regions: await readRegions(deps),
}))
