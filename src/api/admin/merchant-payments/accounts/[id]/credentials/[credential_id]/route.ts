import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { removeCredential } from "../../../../../../../accounts/remove-account"
import { respondAccounts, idIn } from "../../../input"
import type { AccountDeletedResponse } from "../../../types"

/** Deletes a credential that the account no longer uses, with its secret. */
export const DELETE = (
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
): Promise<void> =>
  respondAccounts(request, response, async (deps, adminId): Promise<AccountDeletedResponse> => {
    const id = idIn(request, "credential_id")
    await removeCredential(deps, { id, accountId: idIn(request) }, adminId)
    return { id, deleted: true }
  })
