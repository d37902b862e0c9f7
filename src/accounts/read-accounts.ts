/** Accounts in responses, which never hold a secret. */
import { bodyOfSettings } from "../core/account-settings"
import type { AccountId } from "../core/ids"
import { sentence, type HealthCode } from "../core/messages"
import { refusal } from "../core/refusal"
import type { SecretBox } from "../core/secret-box"
import { listAccountEvents } from "../ledger/accounts/account-events"
import { listKeptCredentials, type KeptCredential } from "../ledger/accounts/kept-secrets"
import { listRefusedAccounts } from "../ledger/accounts/refused-clients"
import {
  findStoredAccount,
  listStoredAccounts,
  type StoredAccount,
} from "../ledger/accounts/stored-accounts"
import { listSaidOperators, type SaidOperator } from "../ledger/accounts/said-operators"
import { listWaiting } from "../ledger/requests"
import { requestView } from "../payouts/request-view"
import type { AccountDeps } from "./deps"
import { learnedNames } from "./operator-names"
import { openSecret } from "./kept-secret"
import type { AccountsResponse } from "./schemas/accounts"
import type {
  AccountEventsResponse,
  AccountResponse,
  AccountState,
  CredentialResponse,
  EncryptionResponse,
} from "./schemas/accounts"

export async function readAccounts(deps: AccountDeps): Promise<AccountsResponse> {
  const [stored, known, credentials, waiting] = await Promise.all([
    listStoredAccounts(deps.database),
    learnedOf(deps),
    listKeptCredentials(deps.database),
    listWaiting(deps.database, deps.people, ["ACCOUNT"]),
  ])
  return {
    accounts: stored.map((one) => answerAccount(deps, one, credentials, known)),
    encryption: answerEncryption(deps.box),
    waiting: waiting
      .map(requestView)
      .flatMap(({ change, ...asked }) => (change ? [{ ...asked, change, ...change }] : [])),
    time_zone: deps.settings.timeZone ?? null,
  }
}

/** @throws Refusal `account_not_found` */
export async function readAccount(deps: AccountDeps, id: AccountId): Promise<AccountResponse> {
  const { database } = deps
  const stored = await storedAccount(deps, id)
  const known = await learnedOf(deps)
  return answerAccount(deps, stored, await listKeptCredentials(database, id), known)
}

/** What the gateway's answers have taught about accounts. */
type Learned = {
  readonly refused: ReadonlySet<AccountId>
  readonly said: readonly SaidOperator[]
}

const NOTHING_LEARNED: Learned = { refused: new Set(), said: [] }

async function learnedOf({ database }: Pick<AccountDeps, "database">): Promise<Learned> {
  const [refused, said] = await Promise.all([
    listRefusedAccounts(database),
    listSaidOperators(database),
  ])
  return { refused, said }
}

/** The changes of an account, also after its removal; an empty list for an unknown account. */
export async function readAccountEvents(
  { database }: Pick<AccountDeps, "database">,
  id: AccountId,
): Promise<AccountEventsResponse> {
  const events = await listAccountEvents(database, id)
  return {
    events: events.map(({ askedBy, at, ...event }) => ({
      ...event,
      asked_by: askedBy,
      at: at.toISOString(),
    })),
  }
}

/** @throws Refusal `account_not_found` */
export async function storedAccount(deps: AccountDeps, id: AccountId): Promise<StoredAccount> {
  const stored = await findStoredAccount(deps.database, id)
  if (!stored) throw refusal("account_not_found")
  return stored
}

export function answerAccount(
  { box, environment }: Pick<AccountDeps, "box" | "environment">,
  stored: StoredAccount,
  credentials: readonly KeptCredential[],
  { refused, said }: Learned = NOTHING_LEARNED,
): AccountResponse {
  const isEnvironments = stored.account.id === environment.id
  // The row may come from another process's environment; the response shows this process's own.
  const account = (isEnvironments ? environment.account : undefined) ?? stored.account
  const isUnset = isEnvironments && !environment.account
  const { credential } = stored
  const state = isEnvironments
    ? isUnset
      ? "no_secret"
      : "ready"
    : openSecret(box, credential, account).state
  const isRefused = state === "ready" && refused.has(account.id)
  const ofState = isUnset ? "environment_unset" : problemOf(state, box)
  const problem = isRefused ? "client_refused" : ofState
  return {
    id: account.id,
    source: isEnvironments ? "environment" : "admin",
    ...bodyOfSettings(account),
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
    learned_names: learnedNames(account, said),
    credentials: isEnvironments
      ? []
      : credentials.filter(({ accountId }) => accountId === account.id).map(answerCredential),
  }
}

function answerEncryption(box: SecretBox): EncryptionResponse {
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
