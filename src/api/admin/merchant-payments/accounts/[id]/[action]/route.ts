/**
 * `POST accounts/:id/test`. Medusa's build leaves every folder called `test` out of the package, so the
 * route's last word is a parameter, and it is the only one that there is.
 */
import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { Refusal } from "../../../../../../core/refusal"
import { testConnection } from "../../../../../../flows/accounts/test-connection"
import { parsed } from "../../../../../validators"
import { accountBody, answerAccounts, idIn } from "../../input"
import type { ConnectionTestAnswer } from "../../types"

/** With what is in the body and not saved yet, over what is kept. Writes nothing anywhere. */
export const POST = (
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
): Promise<void> =>
  answerAccounts(request, response, (deps): Promise<ConnectionTestAnswer> => {
    if (request.params["action"] !== "test") {
      throw new Refusal("account_not_found", "Nothing can be done with an account by this name.")
    }
    return testConnection(deps, idIn(request), parsed(accountBody, request.body))
  })
