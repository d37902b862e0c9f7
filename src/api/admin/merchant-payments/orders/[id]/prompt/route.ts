import { askOnPhone } from "../../../../../../payment-links/make-link"
import { readOrder } from "../../../../../../review/read-operations"
import { adminRoute } from "../../../../../routes"

export const POST = adminRoute("POST orders/:id/prompt", async (deps, { id, body, adminId }) => {
  await askOnPhone(deps, { orderId: id, adminId, phone: body.phone })
  return readOrder(deps, id)
})
