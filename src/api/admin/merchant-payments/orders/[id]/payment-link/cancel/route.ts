import { cancelPaymentLink } from "../../../../../../../payment-links/cancel-link"
import { readPaymentLink } from "../../../../../../../payment-links/read-link"
import type { PaymentLinkResponse } from "../../../../../../../payment-links/rules/link-responses"
import { noBody, orderIdIn } from "../../../../../../admin-validators"
import { adminRoute } from "../../../../../../respond"
import { parsed } from "../../../../../../validators"

/** Takes the order's link back: 200 with the link as it is then, which may still be closing. */
export const POST = adminRoute<PaymentLinkResponse>(async (deps, request, adminId) => {
  const orderId = orderIdIn(request.params)
  parsed(noBody, request.body)
  await cancelPaymentLink(deps, { orderId, adminId })
  return readPaymentLink(deps, orderId)
})
