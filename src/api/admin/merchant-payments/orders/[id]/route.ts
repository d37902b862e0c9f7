import { readOrder } from "../../../../../review/read-operations"
import { adminRoute } from "../../../../routes"

export const GET = adminRoute("GET orders/:id", (deps, { id }) => readOrder(deps, id))
