import { closeRequest } from "../../../../../../ledger/close-request"
import { keptNote } from "../../../../../../ledger/kept-note"
import { requestView } from "../../../../../../payouts/request-view"
import { approveRefund } from "../../../../../../review/approve-refund"
import { adminRoute } from "../../../../../routes"

export const POST = adminRoute(
  "POST refund-requests/:id/:action",
  async (deps, { id, action, body, adminId }) => {
    const note = body.note ?? undefined
    if (action === "approve") {
      const approved = await approveRefund(deps, { id, adminId, note })
      return { request: requestView(approved), payout: null }
    }
    const answer = note === undefined ? null : keptNote(note)
    const given = { id, kinds: ["REFUND"] as const, adminId, answer }
    const closed = await closeRequest(deps.database, deps.people, given)
    return { request: requestView(closed), payout: null }
  },
)
