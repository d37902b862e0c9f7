import { listWaiting } from "../../../../ledger/requests"
import { requestView, type RequestsResponse } from "../../../../payouts/request-view"
import { adminRoute } from "../../../respond"

/** What waits for a second admin, newest first; changes of accounts are with the accounts. */
export const GET = adminRoute<RequestsResponse>(async ({ database, people }) => ({
  requests: (await listWaiting(database, people, ["PAYOUT", "TRANSFER", "REFUND"])).map(
    requestView,
  ),
}))
