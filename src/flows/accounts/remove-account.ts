/**
 * An account is taken away, or one of the credentials that it no longer uses. What was paid with them
 * stays in the ledger, and can be asked about and given back as long as the credential is kept.
 */
import { Refusal } from "../../core/refusal"
import { dropCredential, findKeptCredential } from "../../ledger/kept-secrets"
import { deleteAccount } from "../../ledger/stored-accounts"
import type { AccountDeps } from "./deps"
import { storedAccount } from "./read-accounts"
import { refuseEnvironments } from "./save-account"

/** @throws Refusal `account_not_found`, `account_read_only`, `account_in_use` */
export async function removeAccount(deps: AccountDeps, id: string): Promise<void> {
  refuseEnvironments(deps, id)
  await storedAccount(deps, id)
  if (!(await deleteAccount(deps.database, id))) throw inUse("account")
  deps.forgetAccounts?.()
}

/** @throws Refusal `account_not_found`, `account_read_only`, `account_in_use` */
export async function removeCredential(
  deps: AccountDeps,
  credential: { readonly id: string; readonly accountId: string },
): Promise<void> {
  refuseEnvironments(deps, credential.accountId)
  const kept = await findKeptCredential(deps.database, credential.id)
  if (kept?.accountId !== credential.accountId) {
    throw new Refusal("account_not_found", "There is no such credential of this account.")
  }
  if (!(await dropCredential(deps.database, credential))) throw inUse("credential")
}

function inUse(what: "account" | "credential"): Refusal {
  return new Refusal(
    "account_in_use",
    what === "account"
      ? "Payments of this account are under way, under review or not in Medusa yet. Take its currencies away, so that it takes no new ones, and try again when they have ended."
      : "The account uses this credential, or payments that were made with it are under way or under review.",
  )
}
