import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { payoutView } from "../../../../../flows/payout/payout-view"
import { readPayout } from "../../../../../flows/payout/read-payouts"
import { respond } from "../../../../respond"
import { idOf } from "../../payouts/input"
import type { AdminTransferResponse } from "../../payouts/types"

export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  respond(request, response, async (deps): Promise<AdminTransferResponse> => {
    return { transfer: payoutView(await readPayout(deps, "TRANSFER", idOf(request))) }
  })
