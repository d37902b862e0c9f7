import { removeCredential } from "../../../../../../../accounts/remove-account"
import { accountIdIn, accountsRoute, credentialIdIn } from "../../../input"
import type { AccountDeletedResponse } from "../../../../../../../accounts/rules/account-responses"

/** Deletes a credential that the account no longer uses, with its secret. */
export const DELETE = accountsRoute<AccountDeletedResponse>(async (deps, request, adminId) => {
  const id = credentialIdIn(request)
  await removeCredential(deps, { id, accountId: accountIdIn(request) }, adminId)
  return { id, deleted: true }
})
