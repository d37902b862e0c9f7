import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { readAccountEvents } from "../../../../../../flows/accounts/read-accounts"
import { answerAccounts, idIn } from "../../input"
import type { AccountEventsAnswer } from "../../types"

/** Who has changed what of it, and what waits for a second admin. */
export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  answerAccounts(request, response, (deps): Promise<AccountEventsAnswer> =>
    readAccountEvents(deps, idIn(request)),
  )
