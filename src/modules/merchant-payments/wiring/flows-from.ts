/**
 * The two ways into the flows, one for each container of Medusa's: jobs, routes and subscribers can
 * resolve everything; payment providers live in the Payment module's container and have the logger and
 * the database connection.
 */
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import type { Logger, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { LIMITS } from "../../../core/limits"
import { noFailpoints, systemClock, systemIds, systemRandom, type Ids } from "../../../core/ports"
import type { FlowDeps, LedgerDeps } from "../../../flows/deps"
import { createGateway, type Gateway } from "../../../gateway"
import { listAccounts, type Account } from "../../../ledger/accounts"
import type { Credential } from "../../../ledger/credentials"
import { databaseOver, type ConnectionPool, type Database } from "../../../ledger/database"
import { ENVIRONMENT_ACCOUNT_ID, type Environment } from "../environment"
import { medusaHost } from "../host/medusa-host"
import { sessionReader, type SessionReader } from "../host/session-reader"
import type MerchantPaymentsModuleService from "../service"
import { checkBudget } from "./check-budget"
import { knownCredential } from "./known-credentials"
import { knownConfirmations } from "./known-confirmations"

type Shared = Omit<FlowDeps, "host" | "logger">

/** One for each database connection, that is one for each running application in the process. */
const shared = new WeakMap<object, Shared>()

export function flowsFrom(container: MedusaContainer): FlowDeps {
  const pool: ConnectionPool = container.resolve(ContainerRegistrationKeys.PG_CONNECTION)
  const parts = shared.get(pool) ?? makeShared(container, pool)
  return {
    ...parts,
    logger: container.resolve(ContainerRegistrationKeys.LOGGER),
    host: medusaHost(container, parts.database),
  }
}

export type ProviderContainer = {
  readonly [ContainerRegistrationKeys.PG_CONNECTION]: ConnectionPool
  readonly logger: Logger
}

export type ProviderDeps = LedgerDeps & {
  readonly ids: Ids
  readonly sessions: SessionReader
}

export function providerFlowsFrom(container: ProviderContainer): ProviderDeps {
  const database = databaseOver(container[ContainerRegistrationKeys.PG_CONNECTION])
  return {
    database,
    logger: container.logger,
    ids: systemIds,
    sessions: sessionReader(database),
  }
}

function makeShared(container: MedusaContainer, pool: ConnectionPool): Shared {
  const service: MerchantPaymentsModuleService = container.resolve("merchantPayments")
  const database = databaseOver(pool)
  const made: Shared = {
    database,
    clock: systemClock,
    random: systemRandom,
    ids: systemIds,
    failpoints: noFailpoints,
    settings: service.environment.settings,
    budget: checkBudget(systemClock),
    worker: workerName(),
    confirmationsOf: knownConfirmations(database, systemClock),
    accounts: cachedAccounts(database),
    credentialOf: credentialOf(database, service.environment),
    gatewayOf: gateways(service.environment, container.resolve(ContainerRegistrationKeys.LOGGER)),
  }
  shared.set(pool, made)
  return made
}

/** Where to look for it, and which of the lives of a container that is always process 1. */
function workerName(): string {
  return `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`
}

/** Accounts change when a person changes them; every payment reads them. */
function cachedAccounts(database: Database): () => Promise<readonly Account[]> {
  let known:
    { readonly accounts: Promise<readonly Account[]>; readonly untilMs: number } | undefined
  return () => {
    const now = systemClock.monotonicMs()
    if (known && known.untilMs > now) return known.accounts
    const accounts = listAccounts(database)
    known = { accounts, untilMs: now + LIMITS.accountsCacheMs }
    // A failed read is not remembered.
    accounts.catch(() => (known = undefined))
    return accounts
  }
}

function credentialOf(
  database: Database,
  environment: Environment,
): (account: Account) => Promise<Credential> {
  const known = knownCredential(database)
  return async (account) => {
    const { credentials } = environment
    if (!credentials || account.id !== ENVIRONMENT_ACCOUNT_ID) {
      throw new Error(`account ${account.id} has no credentials`)
    }
    const { baseUrl, clientId } = credentials
    return known({ accountId: account.id, baseUrl, clientId })
  }
}

/** Clients are kept: each holds the token and the connections of its account. */
function gateways(
  environment: Environment,
  logger: Logger,
): (account: Account) => Gateway | undefined {
  let own: Gateway | undefined
  return (account) => {
    const { credentials } = environment
    if (!credentials || account.id !== ENVIRONMENT_ACCOUNT_ID) return undefined
    own ??= createGateway({ ...credentials, logger })
    return own
  }
}
