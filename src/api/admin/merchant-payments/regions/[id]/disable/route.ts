import { disableRegion } from "../../../../../../accounts/regions"
import { accountsRoute } from "../../../../../routes"

export const POST = accountsRoute("POST regions/:id/disable", async (deps, { id }) => ({
  region: await disableRegion(deps, id),
}))
