/**
 * Removes an account, or a credential that it no longer uses. Its payments stay in the ledger, and
 * can be checked and refunded as long as the credential is kept.
 */
import type { AccountId, AdminId, CredentialId } from "../core/ids"
import { refusal } from "../core/refusal"
import { dropCredential, findKeptCredential } from "../ledger/accounts/kept-secrets"
import { deleteAccount } from "../ledger/accounts/stored-accounts"
import type { AccountDeps } from "./deps"
import { changeWithEvent, type Approval } from "./guard-account"
import { storedAccount } from "./read-accounts"
import { GUARDED_REMOVAL } from "./rules/two-people"
import { refuseEnvironments } from "./save-account"

/**
 * @throws Refusal `account_not_found`, `account_read_only`, `account_in_use`,
 *   `account_needs_second_admin`
 */
export async function removeAccount(
  deps: AccountDeps,
  id: AccountId,
  adminId: AdminId,
  approval?: Approval,
): Promise<void> {
  refuseEnvironments(deps, id)
  const { account, version } = await storedAccount(deps, id)
  const { label } = account
  const removal = { label, name: "removed", changes: {}, guarded: GUARDED_REMOVAL } as const
  const asked = { accountId: id, adminId, version, approval, ...removal }
  const change = { ...asked, sealed: null, secret: undefined }
  const isRemoved = await changeWithEvent(deps, change, (event) =>
    deleteAccount(deps.database, deps.people, id, { version, event }),
  )
  if (!isRemoved) throw refusal("account_in_use")
  deps.forgetAccounts?.()
}

/** @throws Refusal `account_not_found`, `account_read_only`, `account_in_use` */
export async function removeCredential(
  deps: AccountDeps,
  credential: { readonly id: CredentialId; readonly accountId: AccountId },
  adminId: AdminId,
): Promise<void> {
  refuseEnvironments(deps, credential.accountId)
  const kept = await findKeptCredential(deps.database, credential.id)
  if (kept?.accountId !== credential.accountId) throw refusal("account_not_found")
  const changes = { client_id: { from: kept.clientId, to: null } }
  const event = { name: "credential_dropped", by: adminId, askedBy: null, changes } as const
  if (!(await dropCredential(deps.database, credential, event))) {
    throw refusal("account_in_use.credential")
  }
}
