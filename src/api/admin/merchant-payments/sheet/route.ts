import { databaseTime } from "../../../../ledger/database-time"
import { accountantFile } from "../../../../reconciliation/accountant-file"
import { csvRoute } from "../../../respond-file"
import { sheetRequest } from "./input"

/** The accountant's sheet of a period, as CSV. */
export const GET = csvRoute(async (deps, { query }) => {
  const now = await databaseTime(deps.database)
  return accountantFile(deps, sheetRequest(query, now, deps.settings.timeZone))
})
