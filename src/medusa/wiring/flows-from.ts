/**
 * Builds what the flows need from Medusa's two kinds of container. Jobs, routes and subscribers can
 * resolve everything; payment providers have only the logger and the database connection.
 */
import type { Logger as MedusaLogger, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import type { AccountDeps } from "../../accounts/deps"
import { systemClock, storeIds, systemRandom, type Logger } from "../../core/ports"
import { createGateway } from "../../gateway"
import { databaseOver, type ConnectionPool, type Database } from "../../ledger/database"
import { fittingTables, type FittingTables } from "../../ledger/fitting-tables"
import type { FlowDeps, MoneyDeps } from "../../engine/deps"
import { oneAtATime, type Named } from "../../engine/one-at-a-time"
import { bounded } from "../../worker/bounded"
import { openStreams } from "../../telemetry/streams"
import type { Observed } from "../../telemetry/store-gauges"
import { underWay } from "../../worker/under-way"
import { ENVIRONMENT_ACCOUNT_ID, readEnvironment, type Environment } from "../environment"
import { medusaAdapter } from "../adapters/medusa-adapter"
import { medusaPeople } from "../adapters/people"
import { purchaseKey } from "../adapters/purchase-key"
import { medusaRefunds } from "../adapters/medusa-refunds"
import { sessionReader, type SessionReader } from "../adapters/session-reader"
import { medusaSetup } from "../adapters/medusa-setup"
import { shopCaptcha } from "../adapters/shop-captcha"
import { keyedDigest } from "../secrets/keyed-digest"
import { secretBoxOf } from "../secrets/secret-box"
import { accountClients } from "./account-clients"
import { checkBudget } from "../../worker/check-budget"
import { fieldLogger } from "./field-logger"
import { NEEDED_MIGRATIONS } from "./needed-migrations"
import { shopperLimit } from "../../checkout/shopper-limit"
import type { WorkInProgress } from "../../worker/work-in-progress"
import { newWorkerName } from "../../worker/worker-name"

type Shared = Omit<FlowDeps, "medusa" | "logger" | "captcha">

/** By database connection: one set for each application that runs in this process. */
const shared = new WeakMap<object, Shared>()
const fitting = new WeakMap<object, FittingTables>()

/** The one way to the plugin's tables, for whatever begins, follows or shows money. */
export function tablesOver(
  pool: ConnectionPool,
  logger: Pick<Logger, "error" | "info">,
): FittingTables {
  const known = fitting.get(pool)
  const around = { clock: systemClock, logger }
  const tables = known ?? fittingTables(databaseOver(pool), around, NEEDED_MIGRATIONS)
  if (!known) fitting.set(pool, tables)
  return tables
}

/** The way to Medusa's own tables, which is open while the plugin's are missing. */
export function medusaTablesFrom(container: MedusaContainer): Database {
  const pool: ConnectionPool = container.resolve(ContainerRegistrationKeys.PG_CONNECTION)
  const logger = fieldLogger(container.resolve(ContainerRegistrationKeys.LOGGER))
  return tablesOver(pool, logger).unguarded
}

export function flowsFrom(container: MedusaContainer): FlowDeps {
  const pool: ConnectionPool = container.resolve(ContainerRegistrationKeys.PG_CONNECTION)
  const logger = fieldLogger(container.resolve(ContainerRegistrationKeys.LOGGER))
  const parts = sharedOver(pool, logger, () => serviceIn(container).environment)
  const medusa = medusaAdapter(container, parts.database)
  const keyOf = (named: Named) => purchaseKey(parts.database, named)
  // `bounded` is outside: if a caller stops waiting, the call still at work keeps the lease.
  const captcha = shopCaptcha(container)
  return {
    ...parts,
    logger,
    captcha,
    medusa: bounded(oneAtATime(medusa, { ...parts, keyOf }), systemClock),
  }
}

/** What the gauges read of this process. */
export function observedIn(container: MedusaContainer): Observed {
  const { database, underWay } = flowsFrom(container)
  const taken = () => [...underWay.groups()].map((group) => underWay.taken(group))
  const leases = () => taken().reduce((sum, one) => sum + one, underWay.unanswered().length)
  return { database, leases, streams: () => openStreams({ database }) }
}

/** What the account flows need: what all flows need, the secret box, and new clients. */
export function accountsFrom(container: MedusaContainer): AccountDeps {
  const { account, credentials, sources, problems } = serviceIn(container).environment
  const flows = flowsFrom(container)
  const { logger } = flows
  const pool: ConnectionPool = container.resolve(ContainerRegistrationKeys.PG_CONNECTION)
  return {
    ...flows,
    tables: tablesOver(pool, logger),
    setup: bounded(medusaSetup(container, flows.database), flows.clock),
    box: secretBoxOf(process.env),
    environment: {
      id: ENVIRONMENT_ACCOUNT_ID,
      account,
      clientId: credentials?.clientId ?? null,
      sources,
      problems,
    },
    openGateway: (client, onDate) => createGateway({ ...client, logger, onDate }),
    openEnvironmentGateway: (onDate) =>
      credentials && createGateway({ ...credentials, logger, onDate }),
  }
}

/** What is used of the module's service, which itself is made with what stands in this folder. */
type ModuleService = { readonly environment: Environment; readonly work: WorkInProgress }

const serviceIn = (container: MedusaContainer): ModuleService =>
  container.resolve("merchantPayments")

export const proxiesFrom = (container: MedusaContainer) => serviceIn(container).environment.proxies

/** The jobs' work in progress. */
export const workIn = (container: MedusaContainer) => serviceIn(container).work

export type ProviderContainer = {
  readonly [ContainerRegistrationKeys.PG_CONNECTION]: ConnectionPool
  readonly logger: MedusaLogger
}

export type ProviderFlows = MoneyDeps & { readonly sessions: SessionReader }

/**
 * Medusa may call a provider before the module; the provider then reads the environment itself. It
 * does not need the plugin's options: they only shape the account, which is in the database.
 */
export function providerFlowsFrom(container: ProviderContainer): ProviderFlows {
  const logger = fieldLogger(container.logger)
  const parts = sharedOver(container[ContainerRegistrationKeys.PG_CONNECTION], logger, () =>
    readEnvironment(process.env, undefined),
  )
  const { database } = parts
  return { ...parts, logger, sessions: sessionReader(database), medusa: medusaRefunds(database) }
}

function sharedOver(
  pool: ConnectionPool,
  logger: Logger,
  readsEnvironment: () => Environment,
): Shared {
  const known = shared.get(pool)
  if (known) return known
  const environment = readsEnvironment()
  const { database } = tablesOver(pool, logger)
  const digest = keyedDigest(process.env)
  const box = secretBoxOf(process.env)
  const clients = accountClients({ database, environment, box, logger, clock: systemClock })
  const made: Shared = {
    database,
    box,
    clock: systemClock,
    random: systemRandom,
    ids: storeIds(digest),
    settings: environment.settings,
    budget: checkBudget(systemClock, clients.accounts),
    shopperLimit: shopperLimit({ database, clock: systemClock, logger, digest }),
    digest,
    people: medusaPeople,
    underWay: underWay(systemClock),
    worker: newWorkerName(),
    ...clients,
  }
  shared.set(pool, made)
  return made
}
