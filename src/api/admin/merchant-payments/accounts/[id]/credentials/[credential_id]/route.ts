import { removeCredential } from "../../../../../../../accounts/remove-account"
import { accountsRoute, idIn } from "../../../input"
import type { AccountDeletedResponse } from "../../../../../../../accounts/rules/account-responses"

/** Deletes a credential that the account no longer uses, with its secret. */
export const DELETE = accountsRoute<AccountDeletedResponse>(async (deps, request, adminId) => {
  const id = idIn(request, "credential_id")
  await removeCredential(deps, { id, accountId: idIn(request) }, adminId)
  return { id, deleted: true }
})
