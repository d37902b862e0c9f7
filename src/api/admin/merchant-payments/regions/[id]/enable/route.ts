import { enableRegion } from "../../../../../../accounts/regions"
import { accountsRoute } from "../../../../../routes"

export const POST = accountsRoute("POST regions/:id/enable", async (deps, { id, body }) => ({
  region: await enableRegion(deps, id, body.provider_ids),
}))
