import { PAYOUT_TYPES } from "../../../../../../core/operation"
import { closeRequest } from "../../../../../../ledger/close-request"
import { keptNote } from "../../../../../../ledger/kept-note"
import { requestOfKind } from "../../../../../../ledger/requests"
import { approvePayout } from "../../../../../../payouts/approve-payout"
import { payoutView } from "../../../../../../payouts/payout-view"
import { requestView } from "../../../../../../payouts/request-view"
import { adminRoute } from "../../../../../routes"

export const POST = adminRoute(
  "POST payout-requests/:id/:action",
  async (deps, { id, action, body, adminId }) => {
    const { database, people } = deps
    const note = body.note ?? undefined
    if (action === "approve") {
      const payout = await approvePayout(deps, { id, adminId, note })
      const approved = await requestOfKind(database, id, PAYOUT_TYPES)
      return { request: requestView(approved), payout: payoutView(payout) }
    }
    const answer = note === undefined ? null : keptNote(note)
    const closed = await closeRequest(database, people, {
      id,
      kinds: PAYOUT_TYPES,
      adminId,
      answer,
    })
    return { request: requestView(closed), payout: null }
  },
)
