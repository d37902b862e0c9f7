import { readFees } from "../../../../accounts/read-fees"
import { adminRoute } from "../../../routes"

export const GET = adminRoute("GET fees", (deps, { query }) => readFees(deps, query.account_id))
