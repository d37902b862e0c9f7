/**
 * Runs a pass of the job again and again, whatever becomes of it. A database that is away for an hour is
 * one line in the log, not 3,600, and it is not hammered while it comes back: the pauses double, with
 * jitter, so that workers which lost it together do not all return at the same moment.
 */
import { LIMITS } from "../../../core/limits"
import type { Clock, Logger, Random } from "../../../core/ports"

/** One pass, or none while it is too early for the next try. Never throws. */
export type SteadyPass = (logger: Logger, pass: () => Promise<unknown>) => Promise<void>

export type Words = { readonly away: string; readonly back: string }

const LOOKING: Words = {
  away: "payments can't be looked at just now, tried again until they can",
  back: "looking at payments again",
}

/** @param words what the log says of it when it fails, and when it works again */
export function steadyPass(
  clock: Pick<Clock, "monotonicMs">,
  random: Random,
  words: Words = LOOKING,
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
      failures += 1
      notBeforeMs = clock.monotonicMs() + pauseMs(failures, random.fraction())
      if (failures > 1) return
      const message = error instanceof Error ? error.message : String(error)
      logger.error(`merchant payments: ${words.away}: ${message.slice(0, LIMITS.messageLengthMax)}`)
    }
  }
}

/** At least half of the ceiling: a pause of nothing is no pause. */
function pauseMs(failures: number, fraction: number): number {
  const ceiling = Math.min(LIMITS.databaseAwayCapMs, LIMITS.checkEveryMs * 2 ** (failures - 1))
  return (ceiling * (1 + fraction)) / 2
}
