import { approveChange } from "../../../../../../accounts/approve-change"
import { refuseChange } from "../../../../../../accounts/guard-account"
import { findRequest } from "../../../../../../ledger/requests"
import { requestView, type RequestAnsweredResponse } from "../../../../../../payouts/request-view"
import { requestAnswer } from "../../../../../admin-validators"
import { accountsRoute } from "../../../accounts/input"

/** A second admin approves or refuses a change of an account, or its asker withdraws it. */
export const POST = accountsRoute<RequestAnsweredResponse>(async (deps, request, adminId) => {
  const { id, action, note } = requestAnswer(request)
  if (action === "approve") {
    const approved = await approveChange(deps, { id, adminId, note })
    return { request: requestView(approved), payout: null }
  }
  await refuseChange(deps, { id, adminId, note })
  const closed = await findRequest(deps.database, id)
  return { request: closed ? requestView(closed) : null, payout: null }
})
