import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { readAccountEvents } from "../../../../../../accounts/read-accounts"
import { respondAccounts, idIn } from "../../input"
import type { AccountEventsResponse } from "../../types"

/** Who has changed what of the account, and which changes wait for a second admin. */
export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  respondAccounts(request, response, (deps): Promise<AccountEventsResponse> =>
    readAccountEvents(deps, idIn(request)),
  )
