import { errorText } from "../core/error-text"
import { LIMITS } from "../core/limits"
import { askedBy, flowOfProvider } from "../core/flows"
import { readGatewayForms } from "../ledger/accounts/gateway-forms"
import { listRefusedAccounts } from "../ledger/accounts/refused-clients"
import { listStoredAccounts, type StoredAccount } from "../ledger/accounts/stored-accounts"
import { methodLabels } from "../core/method-labels"
import { readDeclinedCards } from "../ledger/limits/declined-cards"
import { findClockPutBack } from "../ledger/clock-put-back"
import { findBehind } from "../ledger/database-mark"
import { listDisruptedMethods } from "../ledger/disrupted-methods"
import { readCalls } from "../ledger/gateway-minutes"
import { largestNetwork } from "../ledger/limits/network-starts"
import { readCheckHealth } from "../ledger/read-check-health"
import { countForAPerson } from "../review/sql/list-operations"
import { answerAccount } from "./read-accounts"
import { missingWords, TablesNotMigrated } from "../ledger/fitting-tables"
import { listSaidOperators, type SaidOperator } from "../ledger/accounts/said-operators"
import type { AccountDeps, MedusaSetup } from "./deps"
import { readUntold } from "./sql/untold"
import { neutralNames } from "./operator-names"
import type { HealthResponse } from "./schemas/health"
import {
  failed,
  healthOf,
  healthWithoutDatabase,
  healthWithoutTables,
  lockingProblem,
  type HealthFacts,
} from "./rules/health"

/** Reads small tables and ends of indexes; calls no gateway. Never throws. */
export async function readHealth(deps: AccountDeps): Promise<HealthResponse> {
  try {
    return await readAll(deps)
  } catch (error) {
    deps.logger.error(`merchant payments: the setup check could not be made: ${errorText(error)}`)
    return healthWithoutDatabase()
  }
}

async function readAll(deps: AccountDeps): Promise<HealthResponse> {
  const { database, box, setup, tables } = deps
  const missing = await tables.missing()
  if (missing.length > 0) return healthWithoutTables(failed(...missingWords(missing)))
  const [
    stored,
    refused,
    medusa,
    checks,
    calls,
    needAttention,
    starts,
    forms,
    cards,
    said,
    untold,
    disrupted,
    behind,
    putBack,
  ] = await Promise.all([
    listStoredAccounts(database),
    listRefusedAccounts(database),
    setup.read(),
    readCheckHealth(database),
    readCalls(database, LIMITS.healthCallsWithinMs),
    countForAPerson(database),
    largestNetwork(database),
    readGatewayForms(database),
    readDeclinedCards(database),
    listSaidOperators(database),
    readUntold(database),
    listDisruptedMethods(database),
    findBehind(database),
    findClockPutBack(database),
  ])
  const labelOf = methodLabels(stored.map(({ account }) => account))
  const isOurs = (id: string) => flowOfProvider(id) !== undefined
  return healthOf({
    accounts: stored
      .map((one) => ({
        ...answerAccount(deps, one, []),
        isRefused: refused.has(one.account.id),
      }))
      // An environment's account without its variables takes no payments, so it is no problem.
      .filter(({ id, state }) => id !== deps.environment.id || state === "ready"),
    hasKey: box.keyId !== null,
    keyProblem: box.problem,
    providerIds: medusa.providerIds.filter(isOurs),
    regions: medusa.regions.map(({ name, currency, providerIds }) => ({
      name,
      currency,
      providerIds: providerIds.filter(isOurs),
    })),
    knownCurrencies: medusa.knownCurrencies,
    locking: setup.locking,
    workflowEngine: setup.workflowEngine,
    ...checks,
    workers: checks.workers.length,
    ...calls,
    needAttention,
    forms,
    cards,
    untold,
    disrupted: [...disrupted].map((method) => labelOf(method) ?? method).sort(),
    ...namesIn(deps, stored, medusa, said),
    settings: deps.environment.problems ?? [],
    behindSince: behind?.since,
    putBack,
    hasCaptcha: deps.captcha?.isThere() === true,
    ...starts,
  })
}

/** Only where a region offers mobile money does a shopper read an operator's name. */
function namesIn(
  deps: AccountDeps,
  stored: readonly StoredAccount[],
  { regions }: MedusaSetup,
  said: readonly SaidOperator[],
): Pick<HealthFacts, "neutralNames"> {
  const isOfWallet = (id: string) => askedBy(id) === "phone"
  const offering = regions.filter(({ providerIds }) => providerIds.some(isOfWallet))
  if (offering.length === 0) return {}
  const sold = new Set(offering.map(({ currency }) => currency))
  const { environment } = deps
  const accounts = stored.flatMap(({ account }) =>
    account.id === environment.id ? (environment.account ?? []) : account,
  )
  return { neutralNames: accounts.flatMap((one) => neutralNames(one, sold, said) ?? []) }
}

/** Logs an error once while several processes run without shared locks. Never throws. */
export function processAlarm(): (
  deps: Pick<AccountDeps, "database" | "logger" | "setup">,
) => Promise<void> {
  let isLogged = false
  return async ({ database, logger, setup }) => {
    if (setup.locking !== "in-memory") return
    try {
      const { workers, togetherMs } = await readCheckHealth(database)
      const { locking } = setup
      const problem = lockingProblem({ locking, workers: workers.length, togetherMs })
      if (problem !== null && !isLogged) logger.error(`merchant payments: ${problem}`)
      isLogged = problem !== null
    } catch (error) {
      if (error instanceof TablesNotMigrated) return
      logger.warn(`merchant payments: the processes could not be counted: ${errorText(error)}`)
    }
  }
}
