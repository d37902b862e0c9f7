import { isPerson } from "../../../../core/account-policies"
import { hasRight } from "../../../../ledger/ask-another-admin"
import { REQUEST_KINDS, listWaiting } from "../../../../ledger/requests"
import { requestView } from "../../../../payouts/request-view"
import { adminRoute } from "../../../routes"

const MONEY = REQUEST_KINDS.filter((kind) => kind !== "ACCOUNT")

export const GET = adminRoute("GET requests", async ({ database, people }, { adminId }) => {
  const mayManage = !isPerson(adminId) || (await hasRight(database, people, "ACCOUNT", adminId))
  const waiting = await listWaiting(database, people, mayManage ? REQUEST_KINDS : MONEY)
  return { requests: waiting.map(requestView) }
})
