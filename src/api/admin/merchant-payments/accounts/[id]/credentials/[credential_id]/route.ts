import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { removeCredential } from "../../../../../../../flows/accounts/remove-account"
import { answerAccounts, idIn } from "../../../input"
import type { AccountDeletedAnswer } from "../../../types"

/** One that the account no longer uses: its secret is gone for good. */
export const DELETE = (
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
): Promise<void> =>
  answerAccounts(request, response, async (deps, adminId): Promise<AccountDeletedAnswer> => {
    const id = idIn(request, "credential_id")
    await removeCredential(deps, { id, accountId: idIn(request) }, adminId)
    return { id, deleted: true }
  })
