import { payoutView } from "../../../../payouts/payout-view"
import { readPayouts } from "../../../../payouts/read-payouts"
import { requestPayout } from "../../../../payouts/request-payout"
import { adminRoute } from "../../../respond"
import { listRequest, payoutRequest } from "./input"
import type { AdminPayoutResponse, AdminPayoutList } from "./types"

/** Pays money to a mobile wallet. A repeat under the same key returns the same payout. */
export const POST = adminRoute<AdminPayoutResponse>(async (deps, request) => {
  const payout = await requestPayout(deps, payoutRequest(request))
  return { payout: payoutView(payout) }
})

export const GET = adminRoute<AdminPayoutList>(async (deps, request) => {
  const { limit, offset, ...filter } = listRequest(request, "PAYOUT")
  const { payouts, count } = await readPayouts(deps, { ...filter, limit, offset })
  return { payouts: payouts.map(payoutView), count, limit, offset }
})
