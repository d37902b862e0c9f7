import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { makePaymentLink } from "../../../../../../payment-links/make-link"
import { readPaymentLink } from "../../../../../../payment-links/read-link"
import { operationIdIn, paymentLinkBody } from "../../../../../admin-validators"
import { respondAdmin } from "../../../../../respond"
import { parsed } from "../../../../../validators"
import type { PaymentLinkResponse } from "../../../types"

/** The link of an order, and whether one can be made for it. */
export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  respondAdmin<PaymentLinkResponse>(request, response, (deps) =>
    readPaymentLink(deps, operationIdIn(request.params)),
  )

/** Makes a link for what the order still asks for, or returns the live one. */
export const POST = (
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
): Promise<void> =>
  respondAdmin<PaymentLinkResponse>(request, response, async (deps, adminId) => {
    const orderId = operationIdIn(request.params)
    const { phone } = parsed(paymentLinkBody, request.body)
    await makePaymentLink(deps, { orderId, adminId, phone: phone ?? undefined })
    return readPaymentLink(deps, orderId)
  })
