import { readOperation } from "../../../../../../review/read-operations"
import { resolveOperation } from "../../../../../../review/resolve"
import { readingOf } from "../../../../../../review/view"
import { adminRoute } from "../../../../../routes"

export const POST = adminRoute(
  "POST operations/:id/resolve",
  async (deps, { id, body, adminId }) => {
    const now = await resolveOperation(deps, {
      operationId: id,
      adminId,
      action: body.action,
      note: body.note,
      cartId: body.cart_id ?? undefined,
      orderId: body.order_id ?? undefined,
      expectedAmount: body.expected_amount ?? undefined,
    })
    return { operation: await readOperation(deps, id), gateway: readingOf(now) }
  },
)
