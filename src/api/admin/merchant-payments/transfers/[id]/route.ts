import { payoutView } from "../../../../../payouts/payout-view"
import { readPayout } from "../../../../../payouts/read-payouts"
import { adminRoute } from "../../../../respond"
import { operationIdIn } from "../../../../admin-validators"
import type { AdminTransferResponse } from "../../payouts/types"

export const GET = adminRoute<AdminTransferResponse>(async (deps, request) => {
  return { transfer: payoutView(await readPayout(deps, "TRANSFER", operationIdIn(request.params))) }
})
