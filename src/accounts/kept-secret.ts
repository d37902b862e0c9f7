/**
 * The only place where a kept secret is opened. A credential's id follows from its account, address
 * and client id. If it does not, the row was changed in the database, and the secret would go to an
 * address that no admin typed it for: it stays closed.
 */
import type { CredentialId } from "../core/ids"
import type { SecretBox } from "../core/secret-box"
import { keyOf } from "../ledger/accounts/credentials"
import type { Account } from "../ledger/accounts/find-accounts"
import type { KeptCredential } from "../ledger/accounts/kept-secrets"
import type { AccountState } from "./schemas/accounts"

export type OpenedSecret =
  | { readonly state: "ready"; readonly secret: string }
  | { readonly state: Exclude<AccountState, "ready"> }

/** A secret is sealed for its credential, so that it can't be moved to another row. */
export function sealedFor(credentialId: CredentialId): string {
  return `mp_credential ${credentialId}`
}

/** @param account the one that uses the credential; without it, the credential's own is checked */
export function openSecret(
  box: SecretBox,
  credential: KeptCredential | null,
  account?: Pick<Account, "id" | "baseUrl">,
): OpenedSecret {
  if (!credential?.sealed) return { state: "no_secret" }
  if (!isAsTyped(credential, account)) return { state: "address_changed" }
  const secret = box.open(credential.sealed, sealedFor(credential.id))
  if (secret !== undefined) return { state: "ready", secret }
  return {
    state: box.keyId === null && !box.hasPreviousKey ? "key_missing" : "secret_unreadable",
  }
}

function isAsTyped(credential: KeptCredential, account?: Pick<Account, "id" | "baseUrl">): boolean {
  const { id, accountId, baseUrl, clientId } = credential
  const used = account
    ? { accountId: account.id, baseUrl: account.baseUrl }
    : { accountId, baseUrl }
  return [{ accountId, baseUrl }, used].every((place) => keyOf({ ...place, clientId }).id === id)
}
