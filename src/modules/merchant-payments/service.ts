import { ContainerRegistrationKeys, MedusaService } from "@medusajs/framework/utils"
import type { Logger } from "@medusajs/framework/types"
import { systemClock } from "../../core/ports"
import { databaseOver, type ConnectionPool } from "../../ledger/database"
import { saveAccount } from "../../ledger/accounts"
import { forgetWorker } from "../../ledger/forget-worker"
import { releaseDefault } from "../../ledger/stored-accounts"
import { readEnvironment, type Environment } from "./environment"
import MpAccount from "./models/account"
import MpOperation from "./models/operation"
import { readKeys } from "./secrets/keys"
import { workInProgress, type WorkInProgress } from "./wiring/work-in-progress"
import { workerOf } from "./wiring/worker-name"

type Container = {
  readonly [ContainerRegistrationKeys.PG_CONNECTION]: ConnectionPool
  readonly logger: Logger
}

/**
 * The Medusa module: account settings and queries for the admin. What moves operations is in the flows,
 * what writes them in the ledger.
 */
export default class MerchantPaymentsModuleService extends MedusaService({
  MpAccount,
  MpOperation,
}) {
  readonly #container: Container
  readonly #environment: Environment

  readonly __hooks = {
    onApplicationStart: () => this.adoptEnvironment(),
    onApplicationPrepareShutdown: () => this.end(),
  }

  /** What the jobs have under way. */
  readonly work: WorkInProgress = workInProgress(systemClock)

  constructor(container: Container, options?: unknown) {
    // eslint-disable-next-line prefer-rest-params -- MedusaService reads its own arguments
    super(...arguments)
    this.#container = container
    this.#environment = readEnvironment(process.env, options)
  }

  /** What the environment and the plugin's options say, read at boot. */
  get environment(): Environment {
    return this.#environment
  }

  /** A worker that ends in order is not taken for one beside the worker that comes after it. */
  private async end(): Promise<void> {
    await this.work.end()
    const pool = this.#container[ContainerRegistrationKeys.PG_CONNECTION]
    // The row is forgotten by itself.
    await forgetWorker(databaseOver(pool), workerOf(pool)).catch(() => undefined)
  }

  /** The environment, when set, is an account like any other: default, and read-only in the admin. */
  private async adoptEnvironment(): Promise<void> {
    const { logger } = this.#container
    // A key that is not set is missed where it is needed; one that can't be read is a mistake.
    const problems = [...this.#environment.problems, ...readKeys(process.env).problems]
    for (const problem of problems) logger.warn(`merchant payments: ${problem}`)
    const { account } = this.#environment
    if (!account) return
    try {
      const database = databaseOver(this.#container[ContainerRegistrationKeys.PG_CONNECTION])
      await releaseDefault(database, account.id)
      await saveAccount(database, account)
    } catch (error) {
      logger.error(
        "merchant payments: the account could not be saved; run the migrations " +
          `(npx medusa db:migrate). ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }
}
