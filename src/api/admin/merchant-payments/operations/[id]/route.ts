import { readOperation } from "../../../../../review/read-operations"
import { adminRoute } from "../../../../routes"

export const GET = adminRoute("GET operations/:id", async (deps, { id }) => ({
  operation: await readOperation(deps, id),
}))
