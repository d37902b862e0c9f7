import { makePaymentLink } from "../../../../../../payment-links/make-link"
import { readPaymentLink } from "../../../../../../payment-links/read-link"
import { orderIdIn, paymentLinkBody } from "../../../../../admin-validators"
import { adminRoute } from "../../../../../respond"
import { parsed } from "../../../../../validators"
import type { PaymentLinkResponse } from "../../../../../../payment-links/rules/link-responses"

/** The link of an order, and whether one can be made for it. */
export const GET = adminRoute<PaymentLinkResponse>((deps, request) =>
  readPaymentLink(deps, orderIdIn(request.params)),
)

/** Makes a link for the order's open amount, or returns the live link. */
export const POST = adminRoute<PaymentLinkResponse>(async (deps, request, adminId) => {
  const orderId = orderIdIn(request.params)
  const { phone } = parsed(paymentLinkBody, request.body)
  await makePaymentLink(deps, { orderId, adminId, phone: phone ?? undefined })
  return readPaymentLink(deps, orderId)
})
