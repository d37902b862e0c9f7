import type { Logger as MedusaLogger } from "@medusajs/framework/types"
import { container } from "@medusajs/framework"
import { ContainerRegistrationKeys, defineJoinerConfig } from "@medusajs/framework/utils"
import { errorText } from "../core/error-text"
import { systemClock, type Logger } from "../core/ports"
import { adoptCredential } from "../ledger/accounts/credentials"
import { saveAccount } from "../ledger/accounts/find-accounts"
import { releaseDefault } from "../ledger/accounts/stored-accounts"
import type { ConnectionPool, Database } from "../ledger/database"
import { observeStore } from "../telemetry/store-gauges"
import { readEnvironment, type Environment } from "./environment"
import { logSettings } from "./log-settings"
import { beginOwnClock } from "./passes/begin-own-clock"
import { fieldLogger } from "./wiring/field-logger"
import { watchTheJob } from "./wiring/job-watch"
import { observedIn, tablesOver } from "./wiring/flows-from"
import { notifyFrom } from "./wiring/notify-from"
import { workInProgress, type WorkInProgress } from "./wiring/work-in-progress"

export const MERCHANT_PAYMENTS_MODULE = "merchantPayments"

type Container = {
  readonly [ContainerRegistrationKeys.PG_CONNECTION]: ConnectionPool
  readonly logger: MedusaLogger
}

/**
 * The Medusa module: the environment, and the jobs' work in progress. It has no models: only the
 * ledger's statements write the tables, because they keep state and event together.
 */
export default class MerchantPaymentsModuleService {
  readonly #container: Container
  readonly #environment: Environment
  readonly #logger: Logger
  #endWatch: () => void = () => undefined
  #endClock: () => Promise<void> = () => Promise.resolve()
  #endGauges: () => void = () => undefined

  readonly __hooks = {
    onApplicationStart: async () => {
      this.#endWatch = watchTheJob(() => notifyFrom(container))
      this.#endGauges = observeStore(() => observedIn(container))
      logSettings(this.#logger, this.#environment, process.env)
      await this.useTables()
      this.#endClock = beginOwnClock(container)
    },
    onApplicationPrepareShutdown: () => this.end(),
  }

  /** The jobs' work in progress. */
  readonly work: WorkInProgress = workInProgress(systemClock)

  constructor(container: Container, options?: unknown) {
    this.#container = container
    this.#logger = fieldLogger(container.logger)
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

  /** Says that the worker has ended, once its work has: others take at once what it still holds. */
  private async end(): Promise<void> {
    this.#endWatch()
    this.#endGauges()
    await this.work.end()
    // If this fails, the worker is silent some seconds later.
    await this.#endClock().catch(() => undefined)
  }

  /** Says at boot if tables are missing; what is done at boot then waits for the migration. */
  private async useTables(): Promise<void> {
    const logger = this.#logger
    const tables = tablesOver(this.#container[ContainerRegistrationKeys.PG_CONNECTION], logger)
    try {
      await tables.onceTheyFit((database) => this.adoptEnvironment(database))
    } catch (error) {
      logger.error(`merchant payments: the tables could not be read: ${errorText(error)}`)
    }
  }

  /**
   * Stores the environment's account and its credential, if they are set. The account is the
   * default one, and read-only in the admin. Never throws.
   */
  private async adoptEnvironment(database: Database): Promise<void> {
    const { account, credentials } = this.#environment
    if (!account || !credentials) return
    try {
      await releaseDefault(database, account.id)
      await saveAccount(database, account)
      // So the credential's rules hold for other accounts of its client before its first use.
      await adoptCredential(database, { accountId: account.id, ...credentials })
    } catch (error) {
      this.#logger.error(
        `merchant payments: the environment's account could not be saved: ${errorText(error)}`,
      )
    }
  }
}
