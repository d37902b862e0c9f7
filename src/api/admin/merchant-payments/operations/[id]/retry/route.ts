import { readOperation } from "../../../../../../review/read-operations"
import { retryRefund } from "../../../../../../review/retry-refund"
import { adminRoute } from "../../../../../routes"

export const POST = adminRoute("POST operations/:id/retry", async (deps, { id, adminId }) => {
  const made = await retryRefund(deps, id, adminId)
  return { operation: await readOperation(deps, made.id), gateway: null }
})
