import { readAccountEvents } from "../../../../../../accounts/read-accounts"
import { accountsRoute, accountIdIn } from "../../input"
import type { AccountEventsResponse } from "../../../../../../accounts/rules/account-responses"

/** Who has changed what of the account, and which changes wait for a second admin. */
export const GET = accountsRoute<AccountEventsResponse>((deps, request) =>
  readAccountEvents(deps, accountIdIn(request)),
)
