import { accountantFile } from "../../../../reconciliation/accountant-file"
import { csvRoute } from "../../../respond-file"
import { sheetRequest } from "./input"

/** The accountant's sheet of a period, as CSV. */
export const GET = csvRoute((deps, { query }) =>
  accountantFile(deps, sheetRequest(query, deps.clock.now(), deps.settings.timeZone)),
)
