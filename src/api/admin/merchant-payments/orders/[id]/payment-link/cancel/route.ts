import { cancelPaymentLink } from "../../../../../../../payment-links/cancel-link"
import { readPaymentLink } from "../../../../../../../payment-links/read-link"
import { adminRoute } from "../../../../../../routes"

export const POST = adminRoute(
  "POST orders/:id/payment-link/cancel",
  async (deps, { id, adminId }) => {
    await cancelPaymentLink(deps, { orderId: id, adminId })
    return readPaymentLink(deps, id)
  },
)
