import { payoutView, readPayout } from "../../../../../payouts/payout-view"
import { adminRoute } from "../../../../routes"

export const GET = adminRoute("GET transfers/:id", async (deps, { id }) => ({
  transfer: payoutView(await readPayout(deps, "TRANSFER", id)),
}))
