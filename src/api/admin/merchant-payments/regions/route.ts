import { readRegions } from "../../../../accounts/regions"
import { accountsRoute } from "../../../routes"

export const GET = accountsRoute("GET regions", async (deps) => ({
  regions: await readRegions(deps),
}))
