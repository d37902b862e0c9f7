import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { payoutView } from "../../../../payouts/payout-view"
import { readPayouts } from "../../../../payouts/read-payouts"
import { requestTransfer } from "../../../../payouts/request-transfer"
import { respond } from "../../../respond"
import { listRequest, transferRequest } from "../payouts/input"
import type { AdminTransferResponse, AdminTransferList } from "../payouts/types"

/** Pays money to a counterparty's wallet. A repeat under the same key returns the same transfer. */
export const POST = (
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
): Promise<void> =>
  respond(request, response, async (deps): Promise<AdminTransferResponse> => {
    const transfer = await requestTransfer(deps, transferRequest(request))
    return { transfer: payoutView(transfer) }
  })

export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  respond(request, response, async (deps): Promise<AdminTransferList> => {
    const { limit, offset, ...filter } = listRequest(request, "TRANSFER")
    const { payouts, count } = await readPayouts(deps, { ...filter, limit, offset })
    return { transfers: payouts.map(payoutView), count, limit, offset }
  })
