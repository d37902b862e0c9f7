import { eraseCustomerData, readCustomerData } from "../../../../../../reconciliation/customer-data"
import { adminRoute } from "../../../../../routes"

export const GET = adminRoute("GET customers/:id/data", (deps, { id, query }) =>
  readCustomerData(deps, id, query.after),
)

export const DELETE = adminRoute("DELETE customers/:id/data", (deps, { id, adminId }) =>
  eraseCustomerData(deps, id, adminId),
)
