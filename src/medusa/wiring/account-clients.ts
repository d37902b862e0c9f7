/**
 * The current accounts, and a client for each. The accounts are read again every few seconds, so
 * that a secret saved in the admin reaches every worker without a restart. A client is kept while
 * its credential and secret are unchanged, because it holds the token and the connections.
 *
 * A flow keeps the credential and the client that its account had at the start, even if an admin
 * saves another credential meanwhile. Each record stores which credential made it.
 */
import { LIMITS } from "../../core/limits"
import type { Clock, Logger } from "../../core/ports"
import type { SecretBox } from "../../core/secret-box"
import { shortCache } from "../../core/short-cache"
import { ownStateWords, type StateWords } from "../../core/decide/state-words"
import { createGateway, type Gateway } from "../../gateway"
import {
  adoptCredential,
  type Credential,
  type CredentialIdentity,
} from "../../ledger/accounts/credentials"
import type { Account } from "../../ledger/accounts/find-accounts"
import { findKeptCredential, type KeptCredential } from "../../ledger/accounts/kept-secrets"
import { listStoredAccounts, type StoredAccount } from "../../ledger/accounts/stored-accounts"
import type { Database } from "../../ledger/database"
import type { FlowDeps } from "../../engine/deps"
import { openSecret } from "../../accounts/kept-secret"
import type { AccountState } from "../../accounts/rules/account-responses"
import { ENVIRONMENT_ACCOUNT_ID, type Environment } from "../environment"
import { callCounts } from "./call-counts"
import { keptForms } from "./gateway-forms"
import { plainTextsOf } from "./plain-texts"
import { sharedTokens } from "./shared-tokens"

type Parts = {
  readonly database: Database
  readonly environment: Environment
  readonly box: SecretBox
  readonly logger: Logger
  readonly clock: Pick<Clock, "monotonicMs">
}

type AccountClients = Pick<
  FlowDeps,
  "accounts" | "credentialOf" | "gatewayOf" | "keptGateway" | "forgetAccounts"
>

type Names = { readonly wireNames: Account["wireNames"]; readonly words: StateWords }

/** A client, and the sealed secret that it was made with. */
type Held = { readonly ciphertext: string; readonly gateway: Gateway | undefined }

type Bound = { readonly credential: KeptCredential | null; readonly gateway: Gateway | undefined }

export function accountClients(parts: Parts): AccountClients {
  const { database, environment, box, clock } = parts
  const count = callCounts(database, clock)
  const keepForm = keptForms(database)
  const textsOf = plainTextsOf(parts)
  const adopt = knownCredential(database, clock)
  const known = shortCache<readonly Account[]>(clock, {
    keptForMs: LIMITS.accountsCacheMs,
    most: 1,
  })
  const held = new Map<string, Held>()
  const said = new Set<string>()
  const bound = new WeakMap<Account, Bound>()
  /**
   * State words by account id. A client outlives a change of them, because it asks for them here.
   */
  const names = new Map<string, Names>()
  let forgotten = 0
  let own: Gateway | undefined

  const make = (accountId: string, client: Omit<Parameters<typeof createGateway>[0], "logger">) =>
    createGateway({
      ...client,
      logger: parts.logger,
      plainTexts: textsOf(accountId),
      tokens: sharedTokens(parts, client),
      stateWords: () => names.get(accountId)?.words,
      onCall: (report) => count(accountId, report),
      onForm: (form) =>
        keepForm({ accountId, wireNames: names.get(accountId)?.wireNames ?? {}, form }),
    })

  /**
   * @param account the account that uses the credential; left out for records made with it earlier
   */
  function clientOf(credential: KeptCredential, account?: Account): Gateway | undefined {
    const { id, accountId, baseUrl, clientId, sealed } = credential
    if (!sealed) return undefined
    const opened = openSecret(box, credential, account)
    if (opened.state !== "ready") complain(account?.id ?? accountId, opened.state)
    // A row changed in the database is refused even if its client exists. That client still has
    // the address from which the credential's id was derived.
    if (opened.state === "address_changed") return undefined
    const before = held.get(id)
    if (before?.ciphertext === sealed.ciphertext) return before.gateway
    const gateway =
      opened.state === "ready"
        ? made(() => make(accountId, { baseUrl, clientId, clientSecret: opened.secret }))
        : undefined
    held.set(id, { ciphertext: sealed.ciphertext, gateway })
    if (before?.gateway) retire(before.gateway)
    return gateway
  }

  /** Logs once for each account and state, because accounts are read every few seconds. */
  function complain(accountId: string, state: AccountState): void {
    const key = `${accountId} ${state}`
    if (said.has(key)) return
    said.add(key)
    parts.logger.error(
      state === "address_changed"
        ? `merchant payments: the address, client or owner of account ${accountId}'s secret was ` +
            "changed in the database, not in the admin. The secret is sent nowhere. Find out who " +
            "changed it; then check the address and type the secret in again."
        : `merchant payments: the secret of account ${accountId} can't be read with this ` +
            "process's key. Put the former key back, or type the secret in again.",
    )
  }

  /**
   * An address that was valid when it was saved may be refused by this process: production refuses
   * http.
   */
  function made(make: () => Gateway): Gateway | undefined {
    try {
      return make()
    } catch (error) {
      parts.logger.error(`merchant payments: ${String(error)}`)
      return undefined
    }
  }

  async function read(): Promise<readonly Account[]> {
    const stored = await listStoredAccounts(database)
    return stored.map((one) => {
      const account = accountNow(environment, one)
      const { credential } = one
      names.set(account.id, namesNow(names.get(account.id), account))
      const gateway = credential ? clientOf(credential, account) : undefined
      bound.set(account, { credential, gateway })
      return account
    })
  }

  return {
    accounts: () => known([forgotten], read),
    forgetAccounts: () => void (forgotten += 1),
    async credentialOf(account): Promise<Credential> {
      const { credentials } = environment
      if (account.id === ENVIRONMENT_ACCOUNT_ID && credentials) {
        const { baseUrl, clientId } = credentials
        return adopt({ accountId: account.id, baseUrl, clientId })
      }
      const credential = bound.get(account)?.credential
      if (!credential) throw new Error(`account ${account.id} has no credentials`)
      return { id: credential.id, ownerId: credential.ownerId }
    },
    gatewayOf(account) {
      const { credentials } = environment
      if (account.id !== ENVIRONMENT_ACCOUNT_ID) return bound.get(account)?.gateway
      if (credentials) own ??= make(account.id, credentials)
      return own
    },
    async keptGateway(credentialId) {
      const credential = await findKeptCredential(database, credentialId)
      return credential && clientOf(credential)
    },
  }
}

/**
 * Keeps the same words while the account's names stay the same, so that a word that stays unknown
 * is reported once.
 */
function namesNow(before: Names | undefined, { wireNames }: Account): Names {
  const isSame = before && JSON.stringify(before.wireNames) === JSON.stringify(wireNames)
  return isSame ? before : { wireNames, words: ownStateWords(wireNames).words }
}

/**
 * An environment account without credentials stays in the table for the payments made with it, but
 * has no currencies for new ones.
 */
function accountNow({ credentials }: Environment, { account }: StoredAccount): Account {
  if (account.id !== ENVIRONMENT_ACCOUNT_ID || credentials) return account
  return { ...account, currencies: [], isDefault: false }
}

/** The row of a credential, found or created at its first use by this process. */
export function knownCredential(database: Database, clock: Parts["clock"]) {
  const known = shortCache<Credential>(clock, { keptForMs: Infinity, most: Infinity })
  return (identity: CredentialIdentity) =>
    known([identity], () => adoptCredential(database, identity))
}

/** Closes a replaced client after the time of a lease: until then a flow may still call it. */
function retire(gateway: Gateway): void {
  setTimeout(() => void gateway.close(), LIMITS.leaseMs).unref()
}
