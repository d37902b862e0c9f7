import { listWaiting } from "../../../../ledger/requests"
import { requestView, type RequestsResponse } from "../../../../payouts/request-view"
import { adminRoute } from "../../../respond"

/**
 * What waits for a second admin and is approved by its id, newest first. Changes of accounts are with
 * the accounts; a refund is approved where it was asked for, on its order.
 */
export const GET = adminRoute<RequestsResponse>(async ({ database, people }) => ({
  requests: (await listWaiting(database, people, ["PAYOUT", "TRANSFER"])).map(requestView),
}))
