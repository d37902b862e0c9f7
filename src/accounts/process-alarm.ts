import { errorText } from "../core/error-text"
import { readCheckHealth } from "../ledger/read-check-health"
import type { AccountDeps } from "./deps"
import { lockingProblem } from "./rules/health"

/**
 * An error in the log when several processes run with locks that are not shared; once, until it has
 * passed. Never throws.
 */
export function processAlarm(): (
  deps: Pick<AccountDeps, "database" | "logger" | "setup">,
) => Promise<void> {
  let isTold = false
  return async ({ database, logger, setup }) => {
    if (setup.locking !== "in-memory") return
    try {
      const { workers, togetherMs } = await readCheckHealth(database)
      const { locking } = setup
      const problem = lockingProblem({ locking, workers: workers.length, togetherMs })
      if (problem !== null && !isTold) logger.error(`merchant payments: ${problem}`)
      isTold = problem !== null
    } catch (error) {
      logger.warn(`merchant payments: the processes could not be counted: ${errorText(error)}`)
    }
  }
}
