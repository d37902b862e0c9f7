import { makePaymentLink } from "../../../../../../payment-links/make-link"
import { readPaymentLink } from "../../../../../../payment-links/read-link"
import { adminRoute } from "../../../../../routes"

export const GET = adminRoute("GET orders/:id/payment-link", (deps, { id }) =>
  readPaymentLink(deps, id),
)

export const POST = adminRoute(
  "POST orders/:id/payment-link",
  async (deps, { id, body, adminId }) => {
    await makePaymentLink(deps, { orderId: id, adminId, phone: body.phone ?? undefined })
    return readPaymentLink(deps, id)
  },
)
