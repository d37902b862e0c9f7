import { errorText } from "../core/error-text"
import { LIMITS } from "../core/limits"
import { flowOfProvider } from "../core/providers"
import { readGatewayForms } from "../ledger/accounts/gateway-forms"
import { listStoredAccounts } from "../ledger/accounts/stored-accounts"
import { readDeclinedCards } from "../ledger/declined-cards"
import { readCalls } from "../ledger/gateway-minutes"
import { largestNetwork } from "../ledger/network-starts"
import { readCheckHealth } from "../ledger/read-check-health"
import { countForAPerson } from "../review/sql/list-operations"
import { answerAccount } from "./read-accounts"
import type { AccountDeps } from "./deps"
import type { HealthResponse } from "./rules/account-responses"
import { healthOf, healthWithoutDatabase, lockingProblem } from "./rules/health"

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
  const { database, box, setup } = deps
  const [stored, host, checks, calls, needAttention, starts, forms, cards] = await Promise.all([
    listStoredAccounts(database),
    setup.read(),
    readCheckHealth(database),
    readCalls(database, LIMITS.healthCallsWithinMs),
    countForAPerson(database),
    largestNetwork(database),
    readGatewayForms(database),
    readDeclinedCards(database),
  ])
  const isOurs = (id: string) => flowOfProvider(id) !== undefined
  return healthOf({
    accounts: stored
      .map((one) => answerAccount(deps, one, []))
      // An environment's account without its variables takes no payments, so it is no problem.
      .filter(({ id, state }) => id !== deps.environment.id || state === "ready"),
    hasKey: box.keyId !== null,
    keyProblem: box.problem,
    providerIds: host.providerIds.filter(isOurs),
    regions: host.regions.map(({ name, currency, providerIds }) => ({
      name,
      currency,
      providerIds: providerIds.filter(isOurs),
    })),
    knownCurrencies: host.knownCurrencies,
    lrdDigits: host.lrdDigits,
    locking: setup.locking,
    workflowEngine: setup.workflowEngine,
    ...checks,
    workers: checks.workers.length,
    ...calls,
    needAttention,
    forms,
    cards,
    hasCaptcha: deps.captcha?.isThere() === true,
    ...starts,
  })
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
      logger.warn(`merchant payments: the processes could not be counted: ${errorText(error)}`)
    }
  }
}
