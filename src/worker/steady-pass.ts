/**
 * Runs a pass of the job at each tick and never fails. A database that is down for an hour gives
 * one line in the log, not 3,600. The pauses between tries double, with jitter, so that the workers
 * do not all return at the same moment.
 */
import { errorText } from "../core/error-text"
import { LIMITS } from "../core/limits"
import type { Clock, Logger, Random } from "../core/ports"
import { TablesNotMigrated } from "../ledger/fitting-tables"

/** Runs one pass, or does nothing until the pause after a failure ends. Never throws. */
type SteadyPass = (logger: Logger, pass: () => Promise<unknown>) => Promise<void>

export type Words = { readonly away: string; readonly back: string }

const CHECKING: Words = {
  away: "payments can't be checked now; the job tries again until it can",
  back: "checking payments again",
}

/** @param words for the log, when a pass fails and when it works again */
export function steadyPass(
  clock: Pick<Clock, "monotonicMs">,
  random: Random,
  words: Words = CHECKING,
): SteadyPass {
  let failures = 0
  let notBeforeMs = -Infinity
  return async (logger, pass) => {
    if (clock.monotonicMs() < notBeforeMs) return
    try {
      await pass()
      if (failures > 0) logger.info(`merchant payments: ${words.back}`)
      failures = 0
    } catch (error) {
      // One line of its own says so. The next tick costs nothing until it is time to ask again.
      if (error instanceof TablesNotMigrated) return
      failures += 1
      notBeforeMs = clock.monotonicMs() + pauseMs(failures, random.fraction())
      if (failures > 1) return
      logger.error(`merchant payments: ${words.away}: ${errorText(error)}`)
    }
  }
}

/**
 * Milliseconds until the next try: at least half of the ceiling, so that there is always a pause.
 */
function pauseMs(failures: number, fraction: number): number {
  const ceiling = Math.min(LIMITS.databaseAwayCapMs, LIMITS.checkEveryMs * 2 ** (failures - 1))
  return (ceiling * (1 + fraction)) / 2
}
