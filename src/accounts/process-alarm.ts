import { errorText } from "../core/error-text"
import { readCheckHealth } from "../ledger/read-check-health"
import type { AccountDeps } from "./deps"
import { lockingProblem } from "./rules/health"

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
