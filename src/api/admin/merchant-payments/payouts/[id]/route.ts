import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { payoutView } from "../../../../../payouts/payout-view"
import { readPayout } from "../../../../../payouts/read-payouts"
import { respond } from "../../../../respond"
import { idOf } from "../input"
import type { AdminPayoutResponse } from "../types"

export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  respond(request, response, async (deps): Promise<AdminPayoutResponse> => {
    return { payout: payoutView(await readPayout(deps, "PAYOUT", idOf(request))) }
  })
