import { papersFrom } from "../../../../../../medusa/wiring/papers-from"
import { renewReceiptLink } from "../../../../../../papers/read-receipt"
import { noBody, operationIdIn } from "../../../../../admin-validators"
import { adminRoute } from "../../../../../respond"
import { parsed } from "../../../../../validators"

/** Ends the link of the customer's receipt, and makes another. */
export const POST = adminRoute(async (_deps, request) => {
  parsed(noBody, request.body)
  const id = operationIdIn(request.params)
  return { receipt_url: await renewReceiptLink(papersFrom(request.scope), id) }
})
