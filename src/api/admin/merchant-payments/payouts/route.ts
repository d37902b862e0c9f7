import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { payoutView } from "../../../../flows/payout/payout-view"
import { readPayouts } from "../../../../flows/payout/read-payouts"
import { requestPayout } from "../../../../flows/payout/request-payout"
import { answer } from "../../../answer"
import { listRequest, payoutRequest } from "./input"
import type { AdminPayoutAnswer, AdminPayoutList } from "./types"

/** Money goes to a mobile wallet; asked again under the same key, the same payout is answered. */
export const POST = (
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
): Promise<void> =>
  answer(request, response, async (deps): Promise<AdminPayoutAnswer> => {
    const payout = await requestPayout(deps, payoutRequest(request))
    return { payout: payoutView(payout) }
  })

export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  answer(request, response, async (deps): Promise<AdminPayoutList> => {
    const { limit, offset, ...filter } = listRequest(request, "PAYOUT")
    const { payouts, count } = await readPayouts(deps, { ...filter, limit, offset })
    return { payouts: payouts.map(payoutView), count, limit, offset }
  })
