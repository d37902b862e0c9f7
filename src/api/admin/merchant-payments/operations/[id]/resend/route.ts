import { resendLink } from "../../../../../../payment-links/resend-link"
import { readOperation } from "../../../../../../review/read-operations"
import { adminRoute } from "../../../../../routes"

export const POST = adminRoute("POST operations/:id/resend", async (deps, { id, adminId }) => {
  await resendLink(deps, id, adminId)
  return { operation: await readOperation(deps, id), gateway: null }
})
