/**
 * Adds or changes an account. Address, client and secret belong together: an admin who changes one
 * of the first two types the secret again. So an admin who does not know the secret can't have the
 * kept one sent to another address.
 */
import type { AccountId, AdminId } from "../core/ids"
import { LIMITS } from "../core/limits"
import { invalid, refusal } from "../core/refusal"
import { InvalidConfiguration, parseBaseUrl } from "../gateway"
import { keyOf } from "../ledger/accounts/credentials"
import type { Account } from "../ledger/accounts/find-accounts"
import type { KeptCredential } from "../ledger/accounts/kept-secrets"
import {
  insertAccount,
  listStoredAccounts,
  updateAccount,
  type NewCredential,
  newAccountId,
} from "../ledger/accounts/stored-accounts"
import { brokenRule } from "../ledger/database"
import type { AccountDeps } from "./deps"
import { assertTwoAdmins, changeWithEvent, type Approval } from "./guard-account"
import { sealedFor } from "./kept-secret"
import { readAccount, storedAccount } from "./read-accounts"
import { accountChanges } from "./rules/account-changes"
import type { AccountResponse, AccountBody } from "./schemas/accounts"
import {
  changedSettings,
  NEW_ACCOUNT,
  takenCurrency,
  type AccountSettings,
} from "./rules/account-settings"
import { guardedOf, guardedOfNew } from "./rules/two-people"

/**
 * @throws Refusal `invalid_request`, `secret_required`, `encryption_key_missing`, `currency_taken`,
 *   `account_needs_second_admin`, `second_admin_missing`
 */
export async function createAccount(
  deps: AccountDeps,
  body: AccountBody,
  adminId: AdminId,
  approval?: Approval,
): Promise<AccountResponse> {
  const settings = settingsOf(deps, NEW_ACCOUNT, body)
  const accountId = approval?.request.proposal.accountId ?? newAccountId()
  const others = await othersThan(deps, accountId)
  const isFirst = !others.some(({ isDefault }) => isDefault)
  const isDefault = body.is_default === true || isFirst
  const account: Account = { ...settings, id: accountId, isDefault }
  refuseTaken(deps, account, others)
  const credential = newCredential(deps, account, body, null)
  const { label } = account
  const changes = accountChanges(null, account, body, null)
  await assertTwoAdmins(deps, changes)
  const guarded = guardedOfNew(changes, account)
  const made = { accountId, label, name: "created", version: null, approval } as const
  const sealed = credential?.sealed ?? null
  const change = { ...made, adminId, changes, guarded, sealed, secret: body.client_secret }
  const isMade = await changeWithEvent(deps, change, (event) =>
    withoutTwins(deps, account, () =>
      insertAccount(deps.database, deps.people, account, { credential, event }),
    ),
  )
  if (!isMade) throw refusal("changed_meanwhile")
  deps.forgetAccounts?.()
  return readAccount(deps, accountId)
}

/**
 * @param body the changes, with the version of the account that the admin has seen
 * @throws Refusal as {@link createAccount}, and `account_not_found`, `account_read_only`,
 *   `changed_meanwhile`, `account_needs_second_admin`
 */
export async function changeAccount(
  deps: AccountDeps,
  id: AccountId,
  body: AccountBody & { readonly version: number },
  adminId: AdminId,
  approval?: Approval,
): Promise<AccountResponse> {
  refuseEnvironments(deps, id)
  const stored = await storedAccount(deps, id)
  if (stored.version !== body.version) throw refusal("changed_meanwhile")
  const settings = settingsOf(deps, stored.account, body)
  // An account stops being the default only when another becomes it.
  const account: Account = { ...settings, id, isDefault: body.is_default === true }
  refuseTaken(deps, account, await othersThan(deps, id))
  const credential = newCredential(deps, account, body, stored.credential)
  const { version } = body
  const isDefault = stored.account.isDefault || account.isDefault
  const keptClientId = stored.credential?.clientId ?? null
  const changes = accountChanges(stored.account, { ...account, isDefault }, body, keptClientId)
  await assertTwoAdmins(deps, changes)
  const guarded = guardedOf(changes, stored.account, account)
  const { label } = stored.account
  const change = {
    accountId: id,
    label,
    name: "changed",
    version,
    adminId,
    changes,
    guarded,
    sealed: credential?.sealed ?? null,
    secret: body.client_secret,
    approval,
  } as const
  const isChanged = await changeWithEvent(deps, change, (event) =>
    withoutTwins(deps, account, () =>
      updateAccount(deps.database, deps.people, account, { version, credential, event }),
    ),
  )
  if (!isChanged) throw refusal("changed_meanwhile")
  deps.forgetAccounts?.()
  return readAccount(deps, id)
}

/** @throws Refusal `account_read_only` */
export function refuseEnvironments({ environment }: AccountDeps, id: AccountId): void {
  if (id === environment.id) throw refusal("account_read_only")
}

/** @throws Refusal `secret_required` if the kept secret was typed for another address or client */
export function refuseOtherAddress(
  account: Pick<Account, "id" | "baseUrl">,
  body: AccountBody,
  kept: KeptCredential | null,
): void {
  const clientId = body.client_id ?? kept?.clientId
  if (body.client_secret !== undefined || clientId === undefined) return
  const key = keyOf({ accountId: account.id, baseUrl: account.baseUrl, clientId })
  if (kept?.id === key.id) return
  throw refusal("secret_required", {}, { field: "client_secret" })
}

/**
 * @param before the account's stored settings
 * @throws Refusal `invalid_request`
 */
export function settingsOf(
  deps: Pick<AccountDeps, "environment">,
  before: AccountSettings,
  body: AccountBody,
): AccountSettings {
  const changed = changedSettings(before, body)
  if (body.is_default === true && deps.environment.account) {
    throw invalid("is_default", "environment_is_default")
  }
  if (body.is_default === false && "isDefault" in before && before.isDefault === true) {
    throw invalid("is_default", "needs_default")
  }
  const { realtimeUrl } = changed
  return {
    ...changed,
    baseUrl: addressIn("base_url", changed.baseUrl),
    realtimeUrl: realtimeUrl === null ? null : addressIn("realtime_url", realtimeUrl),
  }
}

function addressIn(field: string, text: string): string {
  try {
    return parseBaseUrl(text)
  } catch (error) {
    if (error instanceof InvalidConfiguration) throw invalid(field, "address")
    throw error
  }
}

/** @throws Refusal `secret_required`, `invalid_request`, `encryption_key_missing` */
function newCredential(
  { box }: AccountDeps,
  account: Account,
  body: AccountBody,
  kept: KeptCredential | null,
): NewCredential | null {
  refuseOtherAddress(account, body, kept)
  const { client_secret: secret } = body
  if (secret === undefined) return null
  const clientId = body.client_id ?? kept?.clientId
  if (clientId === undefined) throw invalid("client_id", "client_id")
  const { id } = keyOf({ accountId: account.id, baseUrl: account.baseUrl, clientId })
  const sealed = box.seal(secret, sealedFor(id))
  if (!sealed) throw refusal("encryption_key_missing")
  return { clientId, sealed }
}

/** All other accounts; without its variables, the environment's account takes no currency. */
async function othersThan(deps: AccountDeps, id: AccountId): Promise<Account[]> {
  const { environment } = deps
  const stored = await listStoredAccounts(deps.database)
  return stored.flatMap(({ account }) => {
    if (account.id === environment.id) return environment.account ?? []
    return account.id === id ? [] : account
  })
}

function refuseTaken(deps: AccountDeps, account: Account, others: readonly Account[]): void {
  const taken = takenCurrency(account.currencies, others)
  if (!taken) return
  const { currency, by } = taken
  const isEnvironments = by.id === deps.environment.id
  throw refusal(
    isEnvironments ? "currency_taken.environment" : "currency_taken",
    { currency, account: by.label },
    { currency, account_id: by.id },
  )
}

/**
 * If several admins save at once, the database lets one account have a currency and one be the
 * default. A new default replaces the former one, so that write is tried again.
 */
async function withoutTwins<T>(
  deps: AccountDeps,
  account: Account,
  write: () => Promise<T>,
): Promise<T> {
  for (let tries = 0; tries < LIMITS.makeDefaultTries; tries++) {
    try {
      return await write()
    } catch (error) {
      const rule = brokenRule(error)
      if (rule === "one_default_account") continue
      if (rule !== "one_account_per_currency") throw error
      refuseTaken(deps, account, await othersThan(deps, account.id))
      break
    }
  }
  throw refusal("changed_meanwhile")
}
