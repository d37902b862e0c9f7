import { closeRequest } from "../../../../../../ledger/close-request"
import { requestOfKind } from "../../../../../../ledger/requests"
import { approvePayout } from "../../../../../../payouts/approve-payout"
import { keptNote } from "../../../../../../ledger/kept-note"
import { payoutView } from "../../../../../../payouts/payout-view"
import { requestView, type RequestAnsweredResponse } from "../../../../../../payouts/request-view"
import { requestAnswer } from "../../../../../admin-validators"
import { adminRoute } from "../../../../../respond"

/** A second admin approves or refuses a payout or transfer, or its asker withdraws it. */
export const POST = adminRoute<RequestAnsweredResponse>(async (deps, request, adminId) => {
  const { id, action, note } = requestAnswer(request)
  const { database, people } = deps
  const kinds = ["PAYOUT", "TRANSFER"] as const
  if (action === "approve") {
    const payout = await approvePayout(deps, { id, adminId, note })
    const approved = await requestOfKind(database, id, kinds)
    return { request: requestView(approved), payout: payoutView(payout) }
  }
  const answer = note === undefined ? null : keptNote(note)
  const closed = await closeRequest(database, people, { id, kinds, adminId, answer })
  return { request: requestView(closed), payout: null }
})
