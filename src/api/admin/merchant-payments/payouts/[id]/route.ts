import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { payoutView } from "../../../../../flows/payout/payout-view"
import { readPayout } from "../../../../../flows/payout/read-payouts"
import { answer } from "../../../../answer"
import { idOf } from "../input"
import type { AdminPayoutAnswer } from "../types"

export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  answer(request, response, async (deps): Promise<AdminPayoutAnswer> => {
    return { payout: payoutView(await readPayout(deps, "PAYOUT", idOf(request))) }
  })
