import { payoutView } from "../../../../payouts/payout-view"
import { readPayouts } from "../../../../payouts/read-payouts"
import { requestTransfer } from "../../../../payouts/request-transfer"
import { adminRoute } from "../../../respond"
import { listRequest, transferRequest } from "../payouts/input"
import type { AdminTransferResponse, AdminTransferList } from "../payouts/types"

/** Pays money to a counterparty's wallet. A repeat under the same key returns the same transfer. */
export const POST = adminRoute<AdminTransferResponse>(async (deps, request) => {
  const transfer = await requestTransfer(deps, transferRequest(request))
  return { transfer: payoutView(transfer) }
})

export const GET = adminRoute<AdminTransferList>(async (deps, request) => {
  const { limit, offset, ...filter } = listRequest(request, "TRANSFER")
  const { payouts, count } = await readPayouts(deps, { ...filter, limit, offset })
  return { transfers: payouts.map(payoutView), count, limit, offset }
})
