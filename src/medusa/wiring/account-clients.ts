/**
 * The current accounts, and a client for each. The accounts are read again every few seconds, so
 * that a secret saved in the admin reaches every worker without a restart. A client is kept while
 * its credential and secret are unchanged, because it holds the token and the connections.
 *
 * A flow keeps the credential and the client that its account had at the start, even if an admin
 * saves another credential meanwhile. Each record stores which credential made it.
 */
import { LIMITS } from "../../core/limits"
import { systemClock, type Clock, type Logger } from "../../core/ports"
import type { SecretBox } from "../../core/secret-box"
import { shortCache } from "../../engine/short-cache"
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
import type { AccountState } from "../../accounts/schemas/accounts"
import type { AccountId } from "../../core/ids"
import { ENVIRONMENT_ACCOUNT_ID, whyUnusable, type Environment } from "../environment"
import { gatewayCall } from "../../telemetry/spans"
import { tellAccepted, tellRefused } from "../../notifications/trouble"
import { callCounts } from "../../accounts/clients/call-counts"
import {
  clientWatch,
  type ClientWatch,
  type ClientWatchParts,
} from "../../accounts/clients/client-watch"
import { keptForms } from "../../accounts/clients/kept-forms"
import { plainTextsOf } from "../../accounts/clients/plain-texts"
import { sharedTokens } from "../../accounts/clients/shared-tokens"

type Parts = {
  readonly database: Database
  readonly environment: Environment
  readonly box: SecretBox
  readonly logger: Logger
  readonly clock: Pick<Clock, "monotonicMs">
  readonly later?: ClientWatchParts["later"]
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
  const { database, environment, clock } = parts
  const adopt = knownCredential(database, clock)
  const known = shortCache<readonly Account[]>(clock, {
    keptForMs: LIMITS.accountsCacheMs,
    most: 1,
  })
  /** By account id. A client outlives a change of its account's words, because it asks here. */
  const names = new Map<string, Names>()
  const bound = new WeakMap<Account, Bound>()
  /** The accounts as they were last read. */
  const latest = new Map<AccountId, Account>()
  let forgotten = 0
  let own: Gateway | undefined
  const watch = refusalWatch(parts, latest, (id) => {
    const account = latest.get(id)
    return id === ENVIRONMENT_ACCOUNT_ID ? own : account && bound.get(account)?.gateway
  })
  const make = gatewayMaker(parts, names, watch)
  const clientOf = keptClients(parts, make)

  async function read(): Promise<readonly Account[]> {
    const stored = await listStoredAccounts(database)
    return stored.map((one) => {
      const account = accountNow(environment, one)
      const { credential } = one
      names.set(account.id, namesNow(names.get(account.id), account))
      const gateway = credential ? clientOf(credential, account) : undefined
      bound.set(account, { credential, gateway })
      latest.set(account.id, account)
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

type Maker = (accountId: AccountId, client: ClientOf) => Gateway
type ClientOf = Omit<Parameters<typeof createGateway>[0], "logger">

/** Makes clients that report to this store, and ask for their account's names as they are then. */
function gatewayMaker(parts: Parts, names: ReadonlyMap<string, Names>, watch: ClientWatch): Maker {
  const count = callCounts(parts.database, parts.clock)
  const keepForm = keptForms(parts.database)
  const textsOf = plainTextsOf(parts)
  return (accountId, client) => {
    const host = URL.canParse(client.baseUrl) ? new URL(client.baseUrl).hostname : ""
    const gateway: Gateway = createGateway({
      ...client,
      logger: parts.logger,
      plainTexts: textsOf(accountId),
      tokens: sharedTokens(parts, client),
      stateWords: () => names.get(accountId)?.words,
      onCall: (report) => {
        count(accountId, report)
        gatewayCall(host, report)
        watch(accountId, gateway, report)
      },
      onForm: (form) =>
        keepForm({ accountId, wireNames: names.get(accountId)?.wireNames ?? {}, form }),
    })
    return gateway
  }
}

/** Tells the operator and the merchant when the gateway refuses an account's client. */
function refusalWatch(
  { database, logger, clock, later }: Parts,
  latest: ReadonlyMap<AccountId, Account>,
  currentOf: (id: AccountId) => Gateway | undefined,
): ClientWatch {
  const deps = { database, logger, clock: systemClock }
  const named = (id: AccountId) => ({ id, label: latest.get(id)?.label ?? id })
  return clientWatch({
    clock,
    currentOf,
    ...(later && { later }),
    refused: (id, wasAccepted) => tellRefused(deps, named(id), wasAccepted),
    accepted: (id) => tellAccepted(deps, named(id)),
  })
}

/** The client of each stored credential, kept while the credential and its secret are the same. */
function keptClients({ box, logger }: Parts, make: Maker) {
  const held = new Map<string, Held>()
  const complain = complaining(logger)

  /** An address that was valid when it was saved may be refused: production refuses http. */
  function made(accountId: AccountId, client: ClientOf): Gateway | undefined {
    try {
      return make(accountId, client)
    } catch (error) {
      logger.error(
        `merchant payments: payments of account ${accountId} can neither be taken nor checked: ` +
          `its gateway address is not usable. ${whyUnusable(error)}`,
      )
      return undefined
    }
  }

  /**
   * @param account the account that uses the credential; left out for records made with it earlier
   */
  return (credential: KeptCredential, account?: Account): Gateway | undefined => {
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
        ? made(accountId, { baseUrl, clientId, clientSecret: opened.secret })
        : undefined
    held.set(id, { ciphertext: sealed.ciphertext, gateway })
    if (before?.gateway) retire(before.gateway)
    return gateway
  }
}

/** Logs once for each account and state, because accounts are read every few seconds. */
function complaining(logger: Logger): (accountId: AccountId, state: AccountState) => void {
  const said = new Set<string>()
  return (accountId, state) => {
    const key = `${accountId} ${state}`
    if (said.has(key)) return
    said.add(key)
    logger.error(
      state === "address_changed"
        ? `merchant payments: the address, client or owner of account ${accountId}'s secret was ` +
            "changed in the database, not in the admin. The secret is sent nowhere. Find out who " +
            "changed it; then check the address and type the secret in again."
        : `merchant payments: the secret of account ${accountId} can't be read with this ` +
            "process's key. Put the former key back, or type the secret in again.",
    )
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
