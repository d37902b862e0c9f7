import { payoutView } from "../../../../../payouts/payout-view"
import { readPayout } from "../../../../../payouts/read-payouts"
import { adminRoute } from "../../../../respond"
import { operationIdIn } from "../../../../admin-validators"
import type { AdminPayoutResponse } from "../types"

export const GET = adminRoute<AdminPayoutResponse>(async (deps, request) => {
  return { payout: payoutView(await readPayout(deps, "PAYOUT", operationIdIn(request.params))) }
})
