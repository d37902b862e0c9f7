import { payoutView, type AdminTransferResponse } from "../../../../payouts/payout-view"
import { requestTransfer } from "../../../../payouts/request-transfer"
import { adminRoute } from "../../../respond"
import { listRoute, transferRequest } from "../payouts/input"

/** Pays money to a counterparty's wallet. A repeat under the same key returns the same transfer. */
export const POST = adminRoute<AdminTransferResponse>(async (deps, request) => ({
  transfer: payoutView(await requestTransfer(deps, transferRequest(request))),
}))

export const GET = listRoute("TRANSFER", "transfers")
