import type { Logger } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, defineJoinerConfig } from "@medusajs/framework/utils"
import { errorText } from "../core/error-text"
import { sentence } from "../core/messages"
import { systemClock } from "../core/ports"
import { adoptCredential } from "../ledger/accounts/credentials"
import { saveAccount } from "../ledger/accounts/find-accounts"
import { releaseDefault } from "../ledger/accounts/stored-accounts"
import { databaseOver, type ConnectionPool } from "../ledger/database"
import { forgetWorker } from "../ledger/read-check-health"
import { readEnvironment, type Environment } from "./environment"
import { readKeys } from "./secrets/keys"
import { workInProgress, type WorkInProgress } from "./wiring/work-in-progress"
import { workerOf } from "./wiring/worker-name"

export const MERCHANT_PAYMENTS_MODULE = "merchantPayments"

type Container = {
  readonly [ContainerRegistrationKeys.PG_CONNECTION]: ConnectionPool
  readonly logger: Logger
}

/**
 * The Medusa module: the environment, and the jobs' work in progress. It has no models: only the
 * ledger's statements write the tables, because they keep state and event together.
 */
export default class MerchantPaymentsModuleService {
  readonly #container: Container
  readonly #environment: Environment

  readonly __hooks = {
    onApplicationStart: () => this.adoptEnvironment(),
    onApplicationPrepareShutdown: () => this.end(),
  }

  /** The jobs' work in progress. */
  readonly work: WorkInProgress = workInProgress(systemClock)

  constructor(container: Container, options?: unknown) {
    this.#container = container
    this.#environment = readEnvironment(process.env, options)
  }

  /** Declared here because Medusa would otherwise read a folder of models. */
  __joinerConfig() {
    return defineJoinerConfig(MERCHANT_PAYMENTS_MODULE, { models: [] })
  }

  /** The environment and the plugin's options, as read at boot. */
  get environment(): Environment {
    return this.#environment
  }

  /** Removes the worker's row, so that the next worker does not count this one as still running. */
  private async end(): Promise<void> {
    await this.work.end()
    const pool = this.#container[ContainerRegistrationKeys.PG_CONNECTION]
    // If this fails, the row expires by itself.
    await forgetWorker(databaseOver(pool), workerOf(pool)).catch(() => undefined)
  }

  /**
   * Stores the environment's account and its credential, if they are set. The account is the
   * default one, and read-only in the admin.
   */
  private async adoptEnvironment(): Promise<void> {
    const { logger } = this.#container
    // A missing key is reported where it is needed; an unreadable key is reported at boot.
    const keys = readKeys(process.env).problems.map((code) => sentence("health", code))
    const problems = [...this.#environment.problems, ...keys]
    for (const problem of problems) logger.warn(`merchant payments: ${problem}`)
    const { account, credentials } = this.#environment
    if (!account || !credentials) return
    try {
      const database = databaseOver(this.#container[ContainerRegistrationKeys.PG_CONNECTION])
      await releaseDefault(database, account.id)
      await saveAccount(database, account)
      // So the credential's rules hold for other accounts of its client before its first use.
      await adoptCredential(database, { accountId: account.id, ...credentials })
    } catch (error) {
      logger.error(
        "merchant payments: the account could not be saved; run the migrations " +
          `(npx medusa db:migrate). ${errorText(error)}`,
      )
    }
  }
}
