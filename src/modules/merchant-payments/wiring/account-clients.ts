/**
 * The accounts as they are now, and a client for each. Read anew every few seconds, so a secret that is
 * saved in the admin reaches every worker without a restart. A client is kept as long as its credential
 * and secret are the same: it holds the token and the connections.
 *
 * An account that was handed out keeps its credential and its client: what begins with one ends with it,
 * and what is made is kept under the credential that made it, also while an admin saves another one.
 */
import type { AccountState } from "../../../core/account-answers"
import { LIMITS } from "../../../core/limits"
import type { Clock, Logger } from "../../../core/ports"
import type { SecretBox } from "../../../core/secret-box"
import type { FlowDeps } from "../../../flows/deps"
import { openSecret } from "../../../flows/accounts/kept-secret"
import { createGateway, type Gateway } from "../../../gateway"
import type { Account } from "../../../ledger/accounts"
import type { Credential } from "../../../ledger/credentials"
import type { Database } from "../../../ledger/database"
import { findKeptCredential, type KeptCredential } from "../../../ledger/kept-secrets"
import { listStoredAccounts, type StoredAccount } from "../../../ledger/stored-accounts"
import { ENVIRONMENT_ACCOUNT_ID, type Environment } from "../environment"
import { callCounts } from "./call-counts"
import { knownCredential } from "./known-credentials"

export type AccountClients = Pick<
  FlowDeps,
  "accounts" | "credentialOf" | "gatewayOf" | "keptGateway" | "forgetAccounts"
>

type Parts = {
  readonly database: Database
  readonly environment: Environment
  readonly box: SecretBox
  readonly logger: Logger
  readonly clock: Pick<Clock, "monotonicMs">
}

/** A client, and what it was made of. */
type Held = { readonly ciphertext: string; readonly gateway: Gateway | undefined }

type Bound = { readonly credential: KeptCredential | null; readonly gateway: Gateway | undefined }

export function accountClients(parts: Parts): AccountClients {
  const { database, environment, box, clock } = parts
  const counts = callCounts(database, clock)
  const adopt = knownCredential(database)
  const held = new Map<string, Held>()
  const said = new Set<string>()
  const bound = new WeakMap<Account, Bound>()
  let known: { readonly accounts: Promise<readonly Account[]>; untilMs: number } | undefined
  let own: Gateway | undefined

  const make = (accountId: string, client: Omit<Parameters<typeof createGateway>[0], "logger">) =>
    createGateway({
      ...client,
      logger: parts.logger,
      onCall: (report) => counts.count(accountId, report),
    })

  /** @param account that uses it; left out for what was made with it before */
  function clientOf(credential: KeptCredential, account?: Account): Gateway | undefined {
    const { id, accountId, baseUrl, clientId, sealed } = credential
    if (!sealed) return undefined
    const opened = openSecret(box, credential, account)
    if (opened.state !== "ready") complain(account?.id ?? accountId, opened.state)
    // A client that is held goes to the address that its id follows from, whatever the row says now.
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

  /** Once for each account and state: accounts are read every few seconds. */
  function complain(accountId: string, state: AccountState): void {
    const key = `${accountId} ${state}`
    if (said.has(key)) return
    said.add(key)
    parts.logger.error(
      state === "address_changed"
        ? `merchant payments: the address, client or owner of account ${accountId}'s secret was changed ` +
            "in the database, not in the admin. The secret is sent nowhere. Find out who did it; then " +
            "check the address and type the secret in again."
        : `merchant payments: the secret of account ${accountId} can't be read with the key of this ` +
            "process. Put the former key back, or type the secret in again.",
    )
  }

  /** An address that was right when it was saved may not be so here: production takes no http. */
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
      const account = shown(environment, one)
      const { credential } = one
      const gateway = credential ? clientOf(credential, account) : undefined
      bound.set(account, { credential, gateway })
      return account
    })
  }

  return {
    accounts() {
      const now = clock.monotonicMs()
      if (known && known.untilMs > now) return known.accounts
      const accounts = read()
      known = { accounts, untilMs: now + LIMITS.accountsCacheMs }
      // A failed read is not remembered.
      accounts.catch(() => (known = undefined))
      return accounts
    },
    forgetAccounts: () => void (known = undefined),
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

/** What the environment was when it was set last is in the table: for what was paid then, and nothing new. */
function shown({ credentials }: Environment, { account }: StoredAccount): Account {
  if (account.id !== ENVIRONMENT_ACCOUNT_ID || credentials) return account
  return { ...account, currencies: [], isDefault: false }
}

/** Flows that have it in hand may still call; after a lease none does. */
function retire(gateway: Gateway): void {
  setTimeout(() => void gateway.close(), LIMITS.leaseMs).unref()
}
