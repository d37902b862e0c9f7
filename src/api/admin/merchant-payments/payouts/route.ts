import {
  payoutView,
  type AdminPayoutList,
  type AdminPayoutResponse,
} from "../../../../payouts/payout-view"
import { requestPayout } from "../../../../payouts/request-payout"
import { listPayouts } from "../../../../payouts/sql/find-payouts"
import { adminRoute } from "../../../respond"
import { listRequest, payoutRequest } from "./input"

/** Pays money to a mobile wallet. A repeat under the same key returns the same payout. */
export const POST = adminRoute<AdminPayoutResponse>(async (deps, request) => ({
  payout: payoutView(await requestPayout(deps, payoutRequest(request))),
}))

export const GET = adminRoute<AdminPayoutList>(async ({ database }, request) => {
  const asked = listRequest(request, "PAYOUT")
  const { payouts, count } = await listPayouts(database, asked)
  const { limit, offset } = asked
  return { payouts: payouts.map(payoutView), count, limit, offset }
})
