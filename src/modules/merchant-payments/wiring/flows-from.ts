/**
 * The two ways into the flows, one for each container of Medusa's: jobs, routes and subscribers can
 * resolve everything; payment providers live in the Payment module's container and have the logger and
 * the database connection.
 */
import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import type { Logger, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { noFailpoints, systemClock, systemIds, systemRandom, type Ids } from "../../../core/ports"
import type { FlowDeps, LedgerDeps } from "../../../flows/deps"
import { databaseOver, type ConnectionPool } from "../../../ledger/database"
import { medusaHost } from "../host/medusa-host"
import { sessionReader, type SessionReader } from "../host/session-reader"
import { secretBoxOf } from "../secrets/secret-box"
import type MerchantPaymentsModuleService from "../service"
import { accountClients } from "./account-clients"
import { checkBudget } from "./check-budget"
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
    ...accountClients({
      database,
      environment: service.environment,
      box: secretBoxOf(process.env),
      logger: container.resolve(ContainerRegistrationKeys.LOGGER),
      clock: systemClock,
    }),
  }
  shared.set(pool, made)
  return made
}

/** Where to look for it, and which of the lives of a container that is always process 1. */
function workerName(): string {
  return `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`
}
