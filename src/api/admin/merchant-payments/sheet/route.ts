import { databaseTime } from "../../../../ledger/database-time"
import { accountantFile } from "../../../../reconciliation/accountant-file"
import { zonedPeriod } from "../../../asked-period"
import { fileRoute } from "../../../routes"

export const GET = fileRoute("GET sheet", {
  csv: async (deps, { query }) => {
    const now = await databaseTime(deps.database)
    const period = zonedPeriod(query, deps.settings.timeZone, now)
    return accountantFile(deps, { ...period, language: query.locale ?? "en" })
  },
})
