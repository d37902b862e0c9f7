import type { Logger as MedusaLogger } from "@medusajs/framework/types"
import { container } from "@medusajs/framework"
import { ContainerRegistrationKeys, defineJoinerConfig } from "@medusajs/framework/utils"
import { errorText } from "../core/error-text"
import {
  MERCHANT_PAYMENT_GRAPH,
  PAYMENT_ALIASES,
  type MerchantPaymentFilters,
  type MerchantPaymentPage,
} from "../core/merchant-payment"
import type { MerchantPayment } from "../core/schemas/merchant-payment"
import { systemClock, type Logger } from "../core/ports"
import { adoptCredential } from "../ledger/accounts/credentials"
import { listAccounts, saveAccount } from "../ledger/accounts/find-accounts"
import { releaseDefault } from "../ledger/accounts/stored-accounts"
import type { ConnectionPool, Database } from "../ledger/database"
import { countPayments, readPayments } from "../review/read-payments"
import { showMoney } from "../telemetry/metrics"
import { observeStore } from "../telemetry/store-gauges"
import { configurationHere, configurationProblems } from "./check-configuration"
import { readEnvironment, type Environment } from "./environment"
import { logMissingAccounts, logSettings } from "./log-settings"
import { isMedusaCommand } from "./medusa-command"
import { paymentFilterOf, paymentPagingOf } from "./shop-payments"
import { beginOwnClock } from "./passes/begin-own-clock"
import { registerPolicies } from "./register-policies"
import { medusaVersion, versionProblems } from "./tested-medusa"
import { fieldLogger } from "./wiring/field-logger"
import { watchTheJob } from "./passes/watch-the-job"
import { flowsFrom, observedIn, tablesOver } from "./wiring/flows-from"
import { notifyFrom } from "./wiring/notify-from"
import { workInProgress, type WorkInProgress } from "../worker/work-in-progress"

export const MERCHANT_PAYMENTS_MODULE = "merchantPayments"

type Container = {
  readonly [ContainerRegistrationKeys.PG_CONNECTION]: ConnectionPool
  readonly logger: MedusaLogger
}

/**
 * The Medusa module: the environment, the jobs' work in progress, and the lists that `query.graph`
 * reads. It has no models: only the ledger's statements write the tables, because they keep state
 * and event together.
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
      showMoney(this.#environment.measuresMoney)
      this.#endGauges = observeStore(() => observedIn(container))
      if (!isMedusaCommand()) logSettings(this.#logger, this.#environment, process.env)
      await this.useTables()
      this.#endClock = beginOwnClock(container)
      await this.registerPolicies()
    },
    onApplicationPrepareShutdown: () => this.end(),
  }

  /** The jobs' work in progress. */
  readonly work: WorkInProgress = workInProgress(systemClock)

  constructor(container: Container, options?: unknown) {
    this.#container = container
    this.#logger = fieldLogger(container.logger)
    const environment = readEnvironment(process.env, options)
    const problems = [
      ...environment.problems,
      ...configurationProblems(configurationHere()),
      ...versionProblems(medusaVersion()),
    ]
    this.#environment = { ...environment, problems }
  }

  /** Without a folder of models, Medusa knows of the payments what stands here. */
  __joinerConfig() {
    return defineJoinerConfig(MERCHANT_PAYMENTS_MODULE, {
      models: [],
      schema: MERCHANT_PAYMENT_GRAPH,
      alias: [
        {
          name: [...PAYMENT_ALIASES],
          entity: "MerchantPayment",
          args: { methodSuffix: "MerchantPayments" },
        },
      ],
      linkableKeys: { merchant_payment_id: "MerchantPayment" },
    })
  }

  /** Payments by filter, for `query.graph` and for the shop's own code. */
  async listMerchantPayments(
    filters: MerchantPaymentFilters = {},
    page: MerchantPaymentPage = {},
  ): Promise<MerchantPayment[]> {
    const flows = flowsFrom(container)
    return readPayments(flows, paymentFilterOf(filters), paymentPagingOf(page))
  }

  /** As {@link listMerchantPayments}, with the number of all that the filter finds. */
  async listAndCountMerchantPayments(
    filters: MerchantPaymentFilters = {},
    page: MerchantPaymentPage = {},
  ): Promise<[MerchantPayment[], number]> {
    const [payments, count] = await Promise.all([
      this.listMerchantPayments(filters, page),
      countPayments(flowsFrom(container), paymentFilterOf(filters)),
    ])
    return [payments, count]
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
      await tables.onceTheyFit(async (database) => {
        await this.adoptEnvironment(database)
        if (isMedusaCommand()) return
        logMissingAccounts(logger, this.#environment, await listAccounts(database))
      })
    } catch (error) {
      logger.error(`merchant payments: the tables could not be read: ${errorText(error)}`)
    }
  }

  /** Says so if Medusa's roles can't grant what the plugin's routes ask for. */
  private async registerPolicies(): Promise<void> {
    try {
      await registerPolicies(container)
    } catch (error) {
      this.#logger.error(
        "merchant payments: the policies for Medusa's roles could not be created, so only roles " +
          `that may do everything can use the plugin's pages: ${errorText(error)}`,
      )
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
