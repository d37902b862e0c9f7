import { refusal } from "../core/refusal"
import { listAccountEvents } from "../ledger/accounts/account-events"
import { listKeptCredentials } from "../ledger/accounts/kept-secrets"
import {
  findStoredAccount,
  listStoredAccounts,
  type StoredAccount,
} from "../ledger/accounts/stored-accounts"
import { answerAccount, answerEncryption } from "./answer-account"
import type { AccountDeps } from "./deps"
import type {
  AccountResponse,
  AccountEventsResponse,
  AccountsResponse,
} from "./rules/account-responses"

export async function readAccounts(deps: AccountDeps): Promise<AccountsResponse> {
  const [stored, credentials] = await Promise.all([
    listStoredAccounts(deps.database),
    listKeptCredentials(deps.database),
  ])
  return {
    accounts: stored.map((one) => answerAccount(deps, one, credentials)),
    encryption: answerEncryption(deps.box),
  }
}

/** @throws Refusal `account_not_found` */
export async function readAccount(deps: AccountDeps, id: string): Promise<AccountResponse> {
  const stored = await storedAccount(deps, id)
  return answerAccount(deps, stored, await listKeptCredentials(deps.database, id))
}

/** Also of an account that was removed; none where there never was one. */
export async function readAccountEvents(
  { database }: Pick<AccountDeps, "database">,
  id: string,
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
export async function storedAccount(deps: AccountDeps, id: string): Promise<StoredAccount> {
  const stored = await findStoredAccount(deps.database, id)
  if (!stored) throw refusal("account_not_found")
  return stored
}
