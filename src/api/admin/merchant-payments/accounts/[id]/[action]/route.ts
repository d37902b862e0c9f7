/**
 * `POST accounts/:id/test`. Medusa's build leaves folders called `test` out of the package, so the
 * last word of the route is a parameter; `test` is its only value.
 */
import { refusal } from "../../../../../../core/refusal"
import { testConnection } from "../../../../../../accounts/test-connection"
import { parsed } from "../../../../../validators"
import { accountsRoute, accountBody, accountIdIn } from "../../input"
import type { ConnectionTestResponse } from "../../../../../../accounts/rules/account-responses"

/** Tests the stored account with the unsaved fields of the body over it. Writes nothing. */
export const POST = accountsRoute<ConnectionTestResponse>((deps, request) => {
  if (request.params["action"] !== "test") {
    throw refusal("account_not_found")
  }
  return testConnection(deps, accountIdIn(request), parsed(accountBody, request.body))
})
