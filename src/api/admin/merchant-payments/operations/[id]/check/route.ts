import { checkForPerson } from "../../../../../../review/check"
import { readOperation } from "../../../../../../review/read-operations"
import { readingOf } from "../../../../../../review/view"
import { adminRoute } from "../../../../../routes"

export const POST = adminRoute("POST operations/:id/check", async (deps, { id, adminId }) => {
  const now = await checkForPerson(deps, id, adminId)
  return { operation: await readOperation(deps, id), gateway: now ? readingOf(now) : null }
})
