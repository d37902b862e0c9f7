import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { payoutView } from "../../../../../payouts/payout-view"
import { readPayout } from "../../../../../payouts/read-payouts"
import { respond } from "../../../../respond"
import { idOf } from "../../payouts/input"
import type { AdminTransferResponse } from "../../payouts/types"

export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  respond(request, response, async (deps): Promise<AdminTransferResponse> => {
    return { transfer: payoutView(await readPayout(deps, "TRANSFER", idOf(request))) }
  })
