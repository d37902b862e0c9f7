import { keptNote } from "../../../../../../ledger/kept-note"
import { closeRequest } from "../../../../../../ledger/close-request"
import { requestView, type RequestAnsweredResponse } from "../../../../../../payouts/request-view"
import { approveRefund } from "../../../../../../review/approve-refund"
import { requestAnswer } from "../../../../../admin-validators"
import { adminRoute } from "../../../../../respond"

/** A second admin approves or refuses a refund, or its asker withdraws it. */
export const POST = adminRoute<RequestAnsweredResponse>(async (deps, request, adminId) => {
  const { id, action, note } = requestAnswer(request)
  if (action === "approve") {
    const approved = await approveRefund(deps, { id, adminId, note })
    return { request: requestView(approved), payout: null }
  }
  const answer = note === undefined ? null : keptNote(note)
  const given = { id, kinds: ["REFUND"] as const, adminId, answer }
  const closed = await closeRequest(deps.database, deps.people, given)
  return { request: requestView(closed), payout: null }
})
