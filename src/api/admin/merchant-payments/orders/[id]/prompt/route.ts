import { askOnPhone } from "../../../../../../payment-links/make-link"
import { readOrder } from "../../../../../../review/read-operations"
import { orderIdIn, promptBody } from "../../../../../admin-validators"
import { adminRoute } from "../../../../../respond"
import { parsed } from "../../../../../validators"
import type { OrderPaymentsResponse } from "../../../../../../review/rules/review-responses"

/** Asks the customer on their phone for the order's open amount. */
export const POST = adminRoute<OrderPaymentsResponse>(async (deps, request, adminId) => {
  const orderId = orderIdIn(request.params)
  const { phone } = parsed(promptBody, request.body)
  await askOnPhone(deps, { orderId, adminId, phone })
  return readOrder(deps, orderId)
})
