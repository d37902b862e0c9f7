import { readOperation } from "../../../../../../review/read-operations"
import { resendLink } from "../../../../../../payment-links/resend-link"
import { noBody, operationIdIn } from "../../../../../admin-validators"
import { adminRoute } from "../../../../../respond"
import { parsed } from "../../../../../validators"
import type { OperationResponse } from "../../../../../../review/rules/review-responses"

/** Asks the gateway for a payment link's address again, for the admin to send to the payer. */
export const POST = adminRoute<OperationResponse>(async (deps, request, adminId) => {
  const id = operationIdIn(request.params)
  parsed(noBody, request.body)
  await resendLink(deps, id, adminId)
  return { operation: await readOperation(deps, id), gateway: null }
})
