/**
 * The accounts as they are now, and a client for each. Read anew every few seconds, so a secret that is
 * saved in the admin reaches every worker without a restart. A client is kept as long as its credential
 * and secret are the same: it holds the token and the connections.
 *
 * An account that was handed out keeps its credential and its client: what begins with one ends with it,
 * and what is made is kept under the credential that made it, also while an admin saves another one.
 */
import { LIMITS } from "../../../core/limits"
import type { Clock, Logger } from "../../../core/ports"
import type { SecretBox } from "../../../core/secret-box"
import type { FlowDeps } from "../../../flows/deps"
import { sealedFor } from "../../../flows/accounts/sealed-for"
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
  const bound = new WeakMap<Account, Bound>()
  let known: { readonly accounts: Promise<readonly Account[]>; untilMs: number } | undefined
  let own: Gateway | undefined

  const make = (accountId: string, client: Omit<Parameters<typeof createGateway>[0], "logger">) =>
    createGateway({
      ...client,
      logger: parts.logger,
      onCall: (report) => counts.count(accountId, report),
    })

  function clientOf(credential: KeptCredential): Gateway | undefined {
    const { id, accountId, baseUrl, clientId, sealed } = credential
    if (!sealed) return undefined
    const before = held.get(id)
    if (before?.ciphertext === sealed.ciphertext) return before.gateway
    const gateway = opened(() => {
      const clientSecret = box.open(sealed, sealedFor(id))
      return clientSecret && make(accountId, { baseUrl, clientId, clientSecret })
    })
    held.set(id, { ciphertext: sealed.ciphertext, gateway })
    if (before?.gateway) retire(before.gateway)
    if (!gateway) {
      parts.logger.error(
        `merchant payments: the secret of account ${accountId} can't be read with the key of this ` +
          "process. Put the former key back, or type the secret in again.",
      )
    }
    return gateway
  }

  /** An address that was right when it was saved may not be so here: production takes no http. */
  function opened(open: () => Gateway | "" | undefined): Gateway | undefined {
    try {
      return open() || undefined
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
      bound.set(account, { credential, gateway: credential ? clientOf(credential) : undefined })
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
