import {
  payoutView,
  readPayout,
  type AdminTransferResponse,
} from "../../../../../payouts/payout-view"
import { adminRoute } from "../../../../respond"
import { operationIdIn } from "../../../../admin-validators"

export const GET = adminRoute<AdminTransferResponse>(async (deps, request) => ({
  transfer: payoutView(await readPayout(deps, "TRANSFER", operationIdIn(request.params))),
}))
