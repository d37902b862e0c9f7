import {
  payoutView,
  readPayout,
  type AdminPayoutResponse,
} from "../../../../../payouts/payout-view"
import { adminRoute } from "../../../../respond"
import { operationIdIn } from "../../../../admin-validators"

export const GET = adminRoute<AdminPayoutResponse>(async (deps, request) => ({
  payout: payoutView(await readPayout(deps, "PAYOUT", operationIdIn(request.params))),
}))
