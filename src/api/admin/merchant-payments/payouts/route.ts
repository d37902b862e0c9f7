import { payoutView, type AdminPayoutResponse } from "../../../../payouts/payout-view"
import { requestPayout } from "../../../../payouts/request-payout"
import { adminRoute } from "../../../respond"
import { listRoute, payoutRequest } from "./input"

/** Pays money to a mobile wallet. A repeat under the same key returns the same payout. */
export const POST = adminRoute<AdminPayoutResponse>(async (deps, request) => ({
  payout: payoutView(await requestPayout(deps, payoutRequest(request))),
}))

export const GET = listRoute("PAYOUT", "payouts")
