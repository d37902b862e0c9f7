import { approveChange } from "../../../../../../accounts/approve-change"
import { refuseChange } from "../../../../../../accounts/guard-account"
import { findRequest } from "../../../../../../ledger/requests"
import { requestView } from "../../../../../../payouts/request-view"
import { accountsRoute } from "../../../../../routes"

export const POST = accountsRoute(
  "POST account-changes/:id/:action",
  async (deps, { id, action, body, adminId }) => {
    const note = body.note ?? undefined
    if (action === "approve") {
      const approved = await approveChange(deps, { id, adminId, note })
      return { request: requestView(approved), payout: null }
    }
    await refuseChange(deps, { id, adminId, note })
    const closed = await findRequest(deps.database, id)
    return { request: closed ? requestView(closed) : null, payout: null }
  },
)
