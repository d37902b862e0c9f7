import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { payoutView } from "../../../../../flows/payout/payout-view"
import { readPayout } from "../../../../../flows/payout/read-payouts"
import { answer } from "../../../../answer"
import { idOf } from "../../payouts/input"
import type { AdminTransferAnswer } from "../../payouts/types"

export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  answer(request, response, async (deps): Promise<AdminTransferAnswer> => {
    return { transfer: payoutView(await readPayout(deps, "TRANSFER", idOf(request))) }
  })
