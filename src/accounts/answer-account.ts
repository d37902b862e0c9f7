/** An account in a response, which never holds a secret. */
import { sentence, type HealthCode } from "../core/messages"
import type { SecretBox } from "../core/secret-box"
import type { KeptCredential } from "../ledger/accounts/kept-secrets"
import type { StoredAccount } from "../ledger/accounts/stored-accounts"
import type { AccountDeps } from "./deps"
import { openSecret } from "./kept-secret"
import type {
  AccountResponse,
  AccountState,
  CredentialResponse,
  EncryptionResponse,
} from "./rules/account-responses"
import { answerSettings } from "./rules/account-settings"

export function answerAccount(
  { box, environment }: Pick<AccountDeps, "box" | "environment">,
  stored: StoredAccount,
  credentials: readonly KeptCredential[],
): AccountResponse {
  const isEnvironments = stored.account.id === environment.id
  // The row may be that of another process's environment; this process answers for its own.
  const account = (isEnvironments ? environment.account : undefined) ?? stored.account
  const isUnset = isEnvironments && !environment.account
  const { credential } = stored
  const state = isEnvironments
    ? isUnset
      ? "no_secret"
      : "ready"
    : openSecret(box, credential, account).state
  const problem = isUnset ? "environment_unset" : problemOf(state, box)
  return {
    id: account.id,
    source: isEnvironments ? "environment" : "admin",
    ...answerSettings(account),
    client_id: isEnvironments ? environment.clientId : (credential?.clientId ?? null),
    has_secret: isEnvironments ? !isUnset : credential?.sealed != null,
    secret_saved_at: credential?.savedAt?.toISOString() ?? null,
    state,
    state_code: problem,
    state_message: problem && sentence("health", problem),
    ...(isUnset && { currencies: [] }),
    policies: account.policies,
    is_default: account.isDefault && !isUnset,
    version: stored.version,
    created_at: stored.createdAt.toISOString(),
    updated_at: stored.updatedAt.toISOString(),
    sources: isEnvironments ? environment.sources : null,
    credentials: isEnvironments
      ? []
      : credentials.filter(({ accountId }) => accountId === account.id).map(answerCredential),
  }
}

export function answerEncryption(box: SecretBox): EncryptionResponse {
  return {
    has_key: box.keyId !== null,
    key_id: box.keyId,
    has_previous_key: box.hasPreviousKey,
    code: box.problem,
    message: box.problem && sentence("health", box.problem),
  }
}

function problemOf(state: AccountState, { problem }: SecretBox): HealthCode | null {
  switch (state) {
    case "ready":
      return null
    case "no_secret":
      return "secret_missing"
    case "secret_unreadable":
      return "secret_unreadable"
    case "key_missing":
      return problem
    case "address_changed":
      return "secret_address_changed"
  }
}

function answerCredential(credential: KeptCredential): CredentialResponse {
  return {
    id: credential.id,
    client_id: credential.clientId,
    status: credential.status,
    has_secret: credential.sealed !== null,
    secret_saved_at: credential.savedAt?.toISOString() ?? null,
    owner_id: credential.ownerId,
  }
}
