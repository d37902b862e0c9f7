import {
  payoutView,
  type AdminTransferList,
  type AdminTransferResponse,
} from "../../../../payouts/payout-view"
import { requestTransfer } from "../../../../payouts/request-transfer"
import { listPayouts } from "../../../../payouts/sql/find-payouts"
import { adminRoute } from "../../../respond"
import { listRequest, transferRequest } from "../payouts/input"

/** Pays money to a counterparty's wallet. A repeat under the same key returns the same transfer. */
export const POST = adminRoute<AdminTransferResponse>(async (deps, request) => ({
  transfer: payoutView(await requestTransfer(deps, transferRequest(request))),
}))

export const GET = adminRoute<AdminTransferList>(async ({ database }, request) => {
  const asked = listRequest(request, "TRANSFER")
  const { payouts, count } = await listPayouts(database, asked)
  const { limit, offset } = asked
  return { transfers: payouts.map(payoutView), count, limit, offset }
})
