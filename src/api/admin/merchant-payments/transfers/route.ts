import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { payoutView } from "../../../../flows/payout/payout-view"
import { readPayouts } from "../../../../flows/payout/read-payouts"
import { requestTransfer } from "../../../../flows/payout/request-transfer"
import { answer } from "../../../answer"
import { listRequest, transferRequest } from "../payouts/input"
import type { AdminTransferAnswer, AdminTransferList } from "../payouts/types"

/** Money goes to a counterparty's wallet; asked again under the same key, the same transfer is answered. */
export const POST = (
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
): Promise<void> =>
  answer(request, response, async (deps): Promise<AdminTransferAnswer> => {
    const transfer = await requestTransfer(deps, transferRequest(request))
    return { transfer: payoutView(transfer) }
  })

export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  answer(request, response, async (deps): Promise<AdminTransferList> => {
    const { limit, offset, ...filter } = listRequest(request, "TRANSFER")
    const { payouts, count } = await readPayouts(deps, { ...filter, limit, offset })
    return { transfers: payouts.map(payoutView), count, limit, offset }
  })
