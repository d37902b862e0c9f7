import { isPerson } from "../../../../core/account-policies"
import { hasRight } from "../../../../ledger/ask-another-admin"
import { listWaiting, type RequestKind } from "../../../../ledger/requests"
import { requestView, type RequestsResponse } from "../../../../payouts/request-view"
import { adminRoute } from "../../../respond"

const MONEY: readonly RequestKind[] = ["PAYOUT", "TRANSFER", "REFUND"]

/**
 * What waits for a second admin, newest first. Only admins who may manage accounts, and API keys,
 * are shown account changes.
 */
export const GET = adminRoute<RequestsResponse>(async ({ database, people }, _request, adminId) => {
  const mayManage = !isPerson(adminId) || (await hasRight(database, people, "ACCOUNT", adminId))
  const waiting = await listWaiting(database, people, mayManage ? [...MONEY, "ACCOUNT"] : MONEY)
  return { requests: waiting.map(requestView) }
})
