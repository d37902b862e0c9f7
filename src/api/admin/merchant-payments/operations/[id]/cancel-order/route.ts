import { cancelStrayOrder } from "../../../../../../orders/stray-orders"
import { readOperation } from "../../../../../../review/read-operations"
import { adminRoute } from "../../../../../routes"

export const POST = adminRoute(
  "POST operations/:id/cancel-order",
  async (deps, { id, body, adminId }) => {
    await cancelStrayOrder(deps, { operationId: id, orderId: body.order_id, adminId })
    return { operation: await readOperation(deps, id), gateway: null }
  },
)
