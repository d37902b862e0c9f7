/**
 * The account as a process reads it from the ledger, and the client of the gateway that the secret
 * makes which an admin typed in last. What was read holds for some seconds, as in a store.
 */
import { openSecret } from "../../../src/accounts/kept-secret"
import { LIMITS } from "../../../src/core/limits"
import type { Clock } from "../../../src/core/ports"
import type { FlowDeps } from "../../../src/engine/deps"
import { shortCache } from "../../../src/engine/short-cache"
import type { Gateway } from "../../../src/gateway"
import type { Account } from "../../../src/ledger/accounts/find-accounts"
import type { KeptCredential } from "../../../src/ledger/accounts/kept-secrets"
import { listStoredAccounts } from "../../../src/ledger/accounts/stored-accounts"
import type { Database } from "../../../src/ledger/database"
import { testBox } from "../../support/test-box"
import { CLIENT_ID } from "../secrets"

/** The clients of one machine: the same for the same secret, as it was sealed. */
export class Clients {
  private readonly made = new Map<string, Gateway>()

  constructor(private readonly make: (secret: string) => Gateway) {}

  of(secret: string, typed = secret): Gateway {
    const known = this.made.get(typed) ?? this.make(secret)
    this.made.set(typed, known)
    return known
  }

  async close(): Promise<void> {
    for (const client of this.made.values()) await client.close()
  }
}

/** What makes a client of a credential; undefined: its secret can't be read. */
export type ClientOf = (credential: KeptCredential) => Gateway | undefined

export const clientIn =
  (clients: Clients): ClientOf =>
  (credential) => {
    const opened = openSecret(testBox, credential)
    if (opened.state !== "ready") return undefined
    return clients.of(opened.secret, credential.sealed?.ciphertext)
  }

export function accountReads(
  database: Database,
  clock: Pick<Clock, "monotonicMs">,
  clientOf: ClientOf,
  /** As the release of the process reads them. */
  list = listStoredAccounts,
): Pick<FlowDeps, "accounts" | "credentialOf" | "gatewayOf" | "forgetAccounts"> {
  const bound = new WeakMap<Account, KeptCredential>()
  const known = shortCache<readonly Account[]>(clock, {
    keptForMs: LIMITS.accountsCacheMs,
    most: 1,
  })
  let forgotten = 0
  const read = async () => {
    const stored = await list(database)
    return stored.map(({ account, credential }) => {
      if (credential) bound.set(account, credential)
      return account
    })
  }
  return {
    accounts: () => known([forgotten], read),
    forgetAccounts: () => void (forgotten += 1),
    credentialOf(account) {
      const { id, ownerId } = bound.get(account) ?? {}
      if (id === undefined) throw new Error(`account ${account.id} has no credentials`)
      return Promise.resolve({ id, ownerId: ownerId ?? null })
    },
    gatewayOf(account) {
      const credential = bound.get(account)
      return credential && clientOf(credential)
    },
  }
}

/** The gateway's side of the merchant's client, and all secrets that it ever had. */
export class ClientSecret {
  readonly every: string[]

  constructor(
    first: string,
    private readonly rotate: (clientId: string) => { readonly clientSecret: string },
  ) {
    this.every = [first]
  }

  /** Which the gateway takes now. */
  get now(): string {
    return this.every.at(-1) ?? ""
  }

  /** From now on the gateway refuses the one before, and the tokens that it gave. */
  replace(): void {
    this.every.push(this.rotate(CLIENT_ID).clientSecret)
  }
}
