import { payoutView, readPayout } from "../../../../../payouts/payout-view"
import { adminRoute } from "../../../../routes"

export const GET = adminRoute("GET payouts/:id", async (deps, { id }) => ({
  payout: payoutView(await readPayout(deps, "PAYOUT", id)),
}))
