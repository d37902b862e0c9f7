import { readOrder } from "../../../../../review/read-operations"
import { orderIdIn } from "../../../../admin-validators"
import { adminRoute } from "../../../../respond"
import type { OrderPaymentsResponse } from "../../../../../review/rules/review-responses"

/** The payments of an order, and their refunds. */
export const GET = adminRoute<OrderPaymentsResponse>((deps, request) =>
  readOrder(deps, orderIdIn(request.params)),
)
